// Asks Kafka now and then whether it answers: a capture of quiet tables would not notice otherwise, and HBase keeps its
// logs as long as nothing is written.
//
// Silence may be asked for by any thread, Tick by one. Never blocks: a question has a thread that nobody waits for.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/status.h"

namespace fensi::cli {

class KafkaWatch {
 public:
  /// Longer than that without an answer: it is unreachable.
  static constexpr std::chrono::milliseconds kLongestSilence{10'000};
  static constexpr std::chrono::milliseconds kPause{3'000};

  /// `ask` blocks for some seconds at most, and is called on any thread. The clock outlives it.
  KafkaWatch(std::function<Status()> ask, Clock* clock)
      : ask_(std::move(ask)), clock_(clock), answered_(clock->SinceBoot()) {}

  /// Call it often.
  void Tick();
  /// How long Kafka has not answered.
  std::chrono::milliseconds silence() const { return clock_->SinceBoot() - answered_.load(); }
  bool away() const { return silence() > kLongestSilence; }

 private:
  const std::function<Status()> ask_;
  Clock* const clock_;
  std::atomic<std::chrono::milliseconds> answered_;
  std::chrono::milliseconds next_{0};
  std::optional<std::future<Status>> asked_;
};

}  // namespace fensi::cli
