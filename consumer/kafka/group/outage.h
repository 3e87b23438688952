// Records why nothing moves, for people. Thread-safe, never blocks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/shown_text.h"

namespace fensi::consumer {

/// Counters of a member of a group, written by its poll thread and read by any thread.
struct GroupCounts {
  std::atomic<int64_t> assignments{0};
  std::atomic<int64_t> revocations{0};
  std::atomic<int64_t> losses{0};  // the group had reassigned the partitions before this member returned them
  std::atomic<int64_t> fenced{0};
  std::atomic<int64_t> commit_failures{0};
  std::atomic<int64_t> last_commit{0};  // milliseconds since the epoch; 0: none yet
};

// Why nothing moves, for people.

class Outage {
 public:
  Outage(Clock* clock, std::string brokers)
      : clock_(clock), brokers_(std::move(brokers)), connected_last_(clock->MonotonicNow()) {}

  /// No broker answers. The first report counts as the beginning.
  void Away(const std::string& detail) {
    const MutexLock lock(mu_);
    if (!away_since_) away_since_ = clock_->MonotonicNow();
    if (!detail.empty()) detail_ = detail;
  }
  /// Whether there is a connection on which a broker has answered: then a broker without an answer is slow, and not
  /// unreachable.
  void Connected(bool connected) {
    const MutexLock lock(mu_);
    connected_ = connected;
    const auto now = clock_->MonotonicNow();
    if (connected) connected_last_ = now;
    // The client does not always report that all brokers are down, for instance while it waits for one of them.
    if (!away_since_ && now - connected_last_ > kLongestGap) away_since_ = connected_last_;
  }
  /// How long ago there was such a connection, or the beginning.
  std::chrono::milliseconds silence() const {
    const MutexLock lock(mu_);
    return clock_->MonotonicNow() - connected_last_;
  }
  bool connected() const {
    const MutexLock lock(mu_);
    return connected_;
  }
  void Other(const std::string& detail) {
    const MutexLock lock(mu_);
    detail_ = detail;
  }
  /// A lasting reason while brokers answer: partitions that cannot be opened, another reader. Empty: none.
  void Standing(const std::string& text) {
    const MutexLock lock(mu_);
    standing_ = text;
  }
  /// Open partitions without a leader. Empty: none.
  void Leaderless(const std::string& text) {
    const MutexLock lock(mu_);
    leaderless_ = text;
  }
  /// Information that an answering broker does not give us any more. Empty: none.
  void Untold(const std::string& text) {
    const MutexLock lock(mu_);
    untold_ = text;
  }
  void Over() {
    const MutexLock lock(mu_);
    away_since_.reset();
    detail_.clear();
  }
  bool any() const {
    const MutexLock lock(mu_);
    return away_since_ || !detail_.empty();
  }
  /// "broker 127.0.0.1:9092 is away since 12 s (…)", or empty.
  std::string Text() const {
    const MutexLock lock(mu_);
    std::string text;
    for (const std::string& part : {PassingText(), standing_, leaderless_, untold_}) {
      if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    }
    return text;
  }

 private:
  static constexpr std::chrono::milliseconds kLongestGap{3'000};

  std::string PassingText() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!away_since_) return detail_;
    const auto seconds = (clock_->MonotonicNow() - *away_since_).count() / 1000;
    const std::string detail = detail_.empty() ? "" : " (" + detail_ + ")";
    const std::string since = std::to_string(seconds) + " s", broker = "broker " + brokers_;
    if (connected_) return broker + " is slow: no answer for " + since + detail;
    return UnreachableText(broker, since) + detail;
  }

  Clock* const clock_;
  const std::string brokers_;
  mutable Mutex mu_;
  std::optional<std::chrono::milliseconds> away_since_ ABSL_GUARDED_BY(mu_);
  bool connected_ ABSL_GUARDED_BY(mu_) = false;
  std::chrono::milliseconds connected_last_ ABSL_GUARDED_BY(mu_);
  std::string detail_ ABSL_GUARDED_BY(mu_);
  std::string standing_ ABSL_GUARDED_BY(mu_);
  std::string leaderless_ ABSL_GUARDED_BY(mu_);
  std::string untold_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::consumer
