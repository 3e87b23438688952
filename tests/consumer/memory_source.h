// A ChangeSource whose log and commits live in memory and outlive it, so that a test can let a consumer die at any call
// and start the next one on the same log.
//
//   auto log = std::make_shared<MemoryLog>(2);          // two partitions
//   log->Append(0, event);
//   MemorySource source(log, {.batch_records = 3});
// Thread-safe in the same way as ChangeSource; the log is changed only while no source works on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/change_source.h"

namespace fensi::consumer {

/// What a broker keeps: messages and committed offsets. Offsets of a partition start at its log_start.
struct MemoryLog {
  struct Message {
    ChangeEvent event;
    Status decoded;
    std::string key;
    std::string value;
  };
  struct Partition {
    int64_t log_start = 0;
    std::deque<Message> messages;
    std::optional<int64_t> committed;
    int64_t log_end() const { return log_start + static_cast<int64_t>(messages.size()); }
  };

  explicit MemoryLog(int32_t partition_count) : partitions(static_cast<size_t>(partition_count)) {}
  MemoryLog(std::vector<std::vector<ChangeEvent>> events) : partitions(events.size()) {  // NOLINT: implicit by design
    for (size_t i = 0; i < events.size(); ++i) {
      for (ChangeEvent& event : events[i]) Append(static_cast<int32_t>(i), std::move(event));
    }
  }

  void Append(int32_t partition, ChangeEvent event) {
    std::string row = event.row;
    at(partition).messages.push_back({std::move(event), {}, std::move(row), {}});
  }
  /// A message that cannot be decoded.
  void AppendBad(int32_t partition, std::string key, std::string value, std::string why) {
    at(partition).messages.push_back(
        {{}, Status(StatusCode::kInvalidArgument, std::move(why)), std::move(key), std::move(value)});
  }
  /// Retention: the first messages are gone.
  void Trim(int32_t partition, int64_t new_log_start) {
    while (at(partition).log_start < new_log_start && !at(partition).messages.empty()) {
      at(partition).messages.pop_front();
      ++at(partition).log_start;
    }
  }
  Partition& at(int32_t partition) { return partitions[static_cast<size_t>(partition)]; }

  std::string topic = "memory";
  std::vector<Partition> partitions;
};

struct MemorySourceOptions {
  size_t batch_records = 100;
  /// Instead of batch_records: the number of records of the batch that starts at `offset` (at least 1).
  std::function<size_t(int32_t partition, int64_t offset)> batch_border;
  /// Called at every call of the consumer ("next", "begin", "done", "abandon", "stop", "close") before it has any
  /// effect; true lets the process die there: from then on nothing is committed or handed out, and every assignment is
  /// fenced.
  std::function<bool(std::string_view call)> dies;
  /// Runs inside Done, after the commit: a place to make an assignment fail or to stop the source.
  std::function<void(const Batch& batch)> after_done;
};

class MemoryAssignment final : public Assignment {
 public:
  MemoryAssignment(std::string topic, int32_t partition, int32_t count)
      : topic_(std::move(topic)), partition_(partition), count_(count) {}
  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return partition_; }
  int32_t partition_count() const override { return count_; }
  Status Check() const override {
    const StatusCode code = code_;
    return code == StatusCode::kOk ? Status() : Status(code, "partition " + std::to_string(partition_) + " is lost");
  }
  void Fail(StatusCode code) {
    if (code_ != StatusCode::kFenced) code_ = code;
  }

 private:
  const std::string topic_;
  const int32_t partition_;
  const int32_t count_;
  std::atomic<StatusCode> code_ = StatusCode::kOk;
};

class MemorySource final : public ChangeSource {
 public:
  explicit MemorySource(std::shared_ptr<MemoryLog> log, MemorySourceOptions options = {})
      : log_(std::move(log)), options_(std::move(options)), lanes_(log_->partitions.size()) {}

  /// After End: until_end is always on, the source ends when every partition is read and done.
  Work Next() override {
    std::unique_lock lock(mu_);
    if (Dies("next")) return Ended();
    for (;;) {
      if (dead_ || stopped_) return Ended();
      for (size_t tried = 0; tried < lanes_.size(); ++tried, ++turn_) {
        Work work = Take(turn_ % lanes_.size());
        if (!std::holds_alternative<End>(work)) return ++turn_, work;
      }
      if (std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.state == State::kEnded; })) {
        return Ended();
      }
      changed_.wait(lock);
    }
  }

  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) override {
    const std::lock_guard lock(mu_);
    if (Dies("begin") || !IsCurrent(assignment)) return Status(StatusCode::kFenced, "the assignment is over");
    Lane& lane = LaneOf(assignment);
    lane.position = offset;
    lane.state = State::kReady;
    changed_.notify_all();
    return {};
  }

  void Done(const Batch& batch) override {
    const std::lock_guard lock(mu_);
    if (Dies("done") || !IsCurrent(batch.assignment)) return;
    Lane& lane = LaneOf(batch.assignment);
    lane.position = batch.next_offset;
    lane.state = State::kReady;
    records_ += static_cast<int64_t>(batch.records.size());
    log_->at(batch.assignment->partition()).committed = batch.next_offset;
    changed_.notify_all();
    if (options_.after_done) options_.after_done(batch);
  }

  void Abandon(const std::shared_ptr<Assignment>& assignment) override {
    const std::lock_guard lock(mu_);
    if (Dies("abandon") || !IsCurrent(assignment)) return;
    Lane& lane = LaneOf(assignment);
    lane.assignment->Fail(StatusCode::kFenced);
    lane = Lane();
    changed_.notify_all();
  }

  void Stop() override {
    const std::lock_guard lock(mu_);
    Dies("stop");
    stopped_ = true;
    FailAll(StatusCode::kCancelled);
  }

  Status Close() override {
    const std::lock_guard lock(mu_);
    Dies("close");
    stopped_ = true;
    FailAll(StatusCode::kFenced);
    return {};
  }

  Progress progress() const override {
    const std::lock_guard lock(mu_);
    return {.records = records_, .partitions = static_cast<int32_t>(lanes_.size())};
  }

  /// Takes a partition away at once, as a rebalance does; it is assigned again from its committed offset.
  void Revoke(int32_t partition) {
    const std::lock_guard lock(mu_);
    Lane& lane = lanes_[static_cast<size_t>(partition)];
    if (lane.assignment != nullptr) lane.assignment->Fail(StatusCode::kFenced);
    lane = Lane();
    changed_.notify_all();
  }

  /// True once `dies` said so.
  bool dead() const {
    const std::lock_guard lock(mu_);
    return dead_;
  }

 private:
  enum class State { kFresh, kInHand, kReady, kEnded };
  struct Lane {
    State state = State::kFresh;
    int64_t position = 0;
    std::shared_ptr<MemoryAssignment> assignment;
  };

  Lane& LaneOf(const std::shared_ptr<Assignment>& assignment) {
    return lanes_[static_cast<size_t>(assignment->partition())];
  }
  bool IsCurrent(const std::shared_ptr<Assignment>& assignment) {
    return !dead_ && LaneOf(assignment).assignment == assignment;
  }
  bool Dies(std::string_view call) {
    if (!dead_ && options_.dies && options_.dies(call)) {
      dead_ = true;
      FailAll(StatusCode::kFenced);
    }
    return dead_;
  }
  void FailAll(StatusCode code) {
    for (Lane& lane : lanes_) {
      if (lane.assignment != nullptr) lane.assignment->Fail(code);
    }
    changed_.notify_all();
  }
  End Ended() const {
    return End{dead_ ? Status(StatusCode::kCancelled, "the process died here by the test's wish") : Status()};
  }

  /// Work of one partition, or End when it has none at the moment.
  Work Take(size_t partition) {
    Lane& lane = lanes_[partition];
    MemoryLog::Partition& log = log_->partitions[partition];
    const auto number = static_cast<int32_t>(partition);
    if (lane.state == State::kFresh) {
      lane.state = State::kInHand;
      lane.assignment = std::make_shared<MemoryAssignment>(log_->topic, number, static_cast<int32_t>(lanes_.size()));
      return Opening{lane.assignment, log.committed, log.log_start, log.log_end()};
    }
    if (lane.state != State::kReady) return End{};
    if (lane.position >= log.log_end()) {
      lane.state = State::kEnded;
      return End{};
    }
    lane.state = State::kInHand;
    return Cut(lane, number, log);
  }

  Batch Cut(const Lane& lane, int32_t partition, const MemoryLog::Partition& log) const {
    const size_t wanted =
        options_.batch_border ? options_.batch_border(partition, lane.position) : options_.batch_records;
    const int64_t end = std::min(log.log_end(), lane.position + static_cast<int64_t>(std::max<size_t>(1, wanted)));
    Batch batch{lane.assignment, {}, end, log_};
    for (int64_t offset = lane.position; offset < end; ++offset) {
      const MemoryLog::Message& message = log.messages[static_cast<size_t>(offset - log.log_start)];
      batch.records.push_back({offset, 0, message.decoded, message.event, message.key, message.value});
    }
    return batch;
  }

  const std::shared_ptr<MemoryLog> log_;
  const MemorySourceOptions options_;
  mutable std::mutex mu_;
  std::condition_variable changed_;
  std::vector<Lane> lanes_;  // guarded by mu_
  size_t turn_ = 0;          // guarded by mu_
  int64_t records_ = 0;      // guarded by mu_
  bool stopped_ = false;     // guarded by mu_
  bool dead_ = false;        // guarded by mu_
};

}  // namespace fensi::consumer
