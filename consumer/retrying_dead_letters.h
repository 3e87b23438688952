// Waits for dead letters as long as it takes, as RetryingStore does for writes.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/clock.h"
#include "consumer/dead_letters.h"

namespace fensi::consumer {

/// A sink that recovers by itself is flushed again until it has, or `go_on` says no, whose answer is returned then.
/// Thread-safe as the sink behind it.
class RetryingDeadLetters final : public DeadLetterSink {
 public:
  using GoOn = std::function<Status()>;
  /// Told why nothing moves; empty when it moves again.
  using Tell = std::function<void(const std::string&)>;

  RetryingDeadLetters(DeadLetterSink* behind, Clock* clock, GoOn go_on, Tell tell)
      : behind_(behind), clock_(clock), go_on_(std::move(go_on)), tell_(std::move(tell)) {}

  Status Send(const DeadLetter& letter) override { return behind_->Send(letter); }
  Status Flush() override;

 private:
  static constexpr std::chrono::milliseconds kPause{100};

  DeadLetterSink* const behind_;
  Clock* const clock_;
  const GoOn go_on_;
  const Tell tell_;
};

}  // namespace fensi::consumer
