// This process's right to its partitions: one Lease for the whole source, one Assignment per partition.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "consumer/change_source.h"

namespace fensi::consumer {

// The clock of the poll thread and the queues: Clock::MonotonicNow, which also counts while the machine is suspended.

using PollTime = std::chrono::milliseconds;

// This process's right to its partitions.

/// Records when the poll thread was last alive and when the group's coordinator last answered, on a clock that also
/// counts while the process is suspended: a process that was silent for a session timeout may have been replaced.
/// Thread-safe, never blocks.
class Lease {
 public:
  /// How long work in flight may continue after Stop.
  static constexpr std::chrono::milliseconds kStopTimeout{3000};

  /// `limit`: session timeout minus the fence margin.
  Lease(Clock* clock, std::chrono::milliseconds limit) : clock_(clock), limit_(limit) {
    Polled();
    Heard(std::chrono::milliseconds(0));
  }

  void Polled() { last_poll_ = Now(); }
  /// The coordinator answered this long ago.
  void Heard(std::chrono::milliseconds ago) { last_heard_ = Now() - ago.count(); }
  bool Overdue() const { return Now() - std::min(last_poll_.load(), last_heard_.load()) > limit_.count(); }
  std::chrono::milliseconds limit() const { return limit_; }
  /// Silence of the poll thread.
  std::chrono::milliseconds silence() const { return std::chrono::milliseconds(Now() - last_poll_); }
  void Stop() {
    int64_t never = kNever;
    stopped_at_.compare_exchange_strong(never, Now());
  }
  bool stopped() const { return stopped_at_ != kNever; }
  /// True after Stop, when work in flight had its time.
  bool MustEnd() const { return stopped() && Now() - stopped_at_ > kStopTimeout.count(); }

 private:
  static constexpr int64_t kNever = -1;
  int64_t Now() const { return clock_->MonotonicNow().count(); }

  Clock* const clock_;
  const std::chrono::milliseconds limit_;
  std::atomic<int64_t> last_poll_ = 0;
  std::atomic<int64_t> last_heard_ = 0;
  std::atomic<int64_t> stopped_at_ = kNever;
};

/// kFenced: Kafka may have given the partition (`place`: "topic t partition 0") to another daemon.
inline Status NotAssigned(const std::string& place) {
  return {StatusCode::kFenced, place + " is no longer assigned to this daemon"};
}

/// The right to one partition. Once fenced it stays fenced.
class KafkaAssignment final : public Assignment {
 public:
  KafkaAssignment(std::shared_ptr<Lease> lease, std::string topic, int32_t partition, int32_t partition_count)
      : lease_(std::move(lease)), topic_(std::move(topic)), partition_(partition), count_(partition_count) {}

  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return partition_; }
  int32_t partition_count() const override { return count_; }
  Status Check() const override {
    if (Lost()) return NotAssigned(Name());
    if (lease_->MustEnd()) return Status(StatusCode::kCancelled, "fensi was asked to stop reading " + Name());
    return {};
  }

  bool has_committed() const override { return has_committed_; }

  void Fence() { fenced_ = true; }
  void NoteCommit() { has_committed_ = true; }
  bool Owned() const { return !Lost(); }

 private:
  /// True once the right was lost; it stays lost.
  bool Lost() const {
    if (!fenced_ && lease_->Overdue()) fenced_ = true;
    return fenced_;
  }
  std::string Name() const { return PartitionText(topic_, partition_); }

  const std::shared_ptr<Lease> lease_;
  const std::string topic_;
  const int32_t partition_;
  const int32_t count_;
  mutable std::atomic<bool> fenced_ = false;
  std::atomic<bool> has_committed_ = false;
};

}  // namespace fensi::consumer
