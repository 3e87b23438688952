// Checks periodically whether Kafka answers: otherwise a capture of quiet tables would not notice an outage, and HBase
// keeps its logs as long as nothing is written.
//
// Any thread may call silence, one thread Tick. Never blocks: a check runs on a detached thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/status.h"

namespace fensi::daemon {

class KafkaWatch {
 public:
  /// Without an answer for longer, Kafka is unreachable.
  static constexpr std::chrono::milliseconds kLongestSilence{10'000};
  static constexpr std::chrono::milliseconds kPause{3'000};

  /// `ask` blocks for some seconds at most, and is called on any thread. The clock outlives it.
  KafkaWatch(std::function<Status()> ask, Clock* clock)
      : ask_(std::move(ask)), clock_(clock), answered_(clock->MonotonicNow()) {}

  /// Call it often.
  void Tick();
  /// How long Kafka has not answered.
  std::chrono::milliseconds silence() const { return clock_->MonotonicNow() - answered_.load(); }
  bool away() const { return silence() > kLongestSilence; }
  /// Why the last check had no answer; empty: it had one. Only the thread that calls Tick.
  const std::string& why() const { return why_; }

 private:
  const std::function<Status()> ask_;
  Clock* const clock_;
  std::atomic<std::chrono::milliseconds> answered_;
  std::chrono::milliseconds next_{0};
  std::optional<std::future<Status>> asked_;
  std::string why_;
};

}  // namespace fensi::daemon
