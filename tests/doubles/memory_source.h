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
#include "tests/doubles/fake_assignment.h"

namespace fensi::consumer {

/// What a broker keeps: messages and committed offsets. Offsets of a partition start at its log_start.
struct MemoryLog {
  struct Message {
    ChangeEvent event;
    Status decoded;
    std::string key;
    std::string value;
    std::optional<Mark> mark = std::nullopt;  // instead of an event
  };
  struct Partition {
    int64_t log_start = 0;
    std::deque<Message> messages;
    std::optional<int64_t> committed;
    std::optional<std::vector<Request>> requests = std::nullopt;  // beside it, from offset 0; absent: nobody can ask
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
  void AppendMark(int32_t partition, Mark mark) { at(partition).messages.push_back({{}, {}, {}, {}, std::move(mark)}); }
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

class MemorySource final : public ChangeSource {
 public:
  explicit MemorySource(std::shared_ptr<MemoryLog> log, MemorySourceOptions options = {})
      : log_(std::move(log)), options_(std::move(options)), readers_(log_->partitions.size()) {}

  /// After End: until_end is always on, the source ends when every partition is read and done.
  Work Next() override {
    std::unique_lock lock(mu_);
    if (Dies("next")) return Ended();
    for (;;) {
      if (dead_ || stopped_) return Ended();
      for (size_t tried = 0; tried < readers_.size(); ++tried, ++turn_) {
        Work work = Take(turn_ % readers_.size());
        if (!std::holds_alternative<End>(work)) return ++turn_, work;
      }
      if (std::all_of(readers_.begin(), readers_.end(),
                      [](const Reader& reader) { return reader.state == State::kEnded; })) {
        return Ended();
      }
      changed_.wait(lock);
    }
  }

  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) override {
    const std::lock_guard lock(mu_);
    if (Dies("begin") || !IsCurrent(assignment)) return Status(StatusCode::kFenced, "the assignment is over");
    Reader& reader = ReaderOf(assignment);
    reader.position = offset;
    reader.state = State::kReady;
    changed_.notify_all();
    return {};
  }

  void Done(const Batch& batch) override {
    const std::lock_guard lock(mu_);
    if (Dies("done") || !IsCurrent(batch.assignment)) return;
    Reader& reader = ReaderOf(batch.assignment);
    reader.position = batch.next_offset;
    reader.state = State::kReady;
    records_ += static_cast<int64_t>(batch.records.size());
    log_->at(batch.assignment->partition()).committed = batch.next_offset;
    changed_.notify_all();
    if (options_.after_done) options_.after_done(batch);
  }

  Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition start) override {
    const std::lock_guard lock(mu_);
    if (Dies("begin") || !IsCurrent(assignment)) return Status(StatusCode::kFenced, "the assignment is over");
    Reader& reader = ReaderOf(assignment);
    reader.next_request = start.done;
    reader.noted = start.noted;
    return {};
  }

  void Done(const RequestBatch& batch) override {
    const std::lock_guard lock(mu_);
    if (Dies("done") || !IsCurrent(batch.assignment)) return;
    Reader& reader = ReaderOf(batch.assignment);
    reader.next_request = batch.next_offset;
    reader.state = State::kReady;
    changed_.notify_all();
  }

  void Abandon(const std::shared_ptr<Assignment>& assignment) override {
    const std::lock_guard lock(mu_);
    if (Dies("abandon") || !IsCurrent(assignment)) return;
    Reader& reader = ReaderOf(assignment);
    reader.assignment->Fail(StatusCode::kFenced);
    reader = Reader();
    changed_.notify_all();
  }

  void SetPaused(bool paused) override {
    const std::lock_guard lock(mu_);
    paused_ = paused;
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
    return {.records = records_, .partitions = static_cast<int32_t>(readers_.size())};
  }

  /// Takes a partition away at once, as a rebalance does; it is assigned again from its committed offset.
  void Revoke(int32_t partition) {
    const std::lock_guard lock(mu_);
    Reader& reader = readers_[static_cast<size_t>(partition)];
    if (reader.assignment != nullptr) reader.assignment->Fail(StatusCode::kFenced);
    reader = Reader();
    changed_.notify_all();
  }

  /// True once `dies` said so.
  bool dead() const {
    const std::lock_guard lock(mu_);
    return dead_;
  }

 private:
  enum class State { kFresh, kInHand, kReady, kEnded };
  struct Reader {
    State state = State::kFresh;
    int64_t position = 0;
    std::optional<int64_t> next_request = std::nullopt;
    int64_t noted = 0;
    std::shared_ptr<FakeAssignment> assignment;
  };

  Reader& ReaderOf(const std::shared_ptr<Assignment>& assignment) {
    return readers_[static_cast<size_t>(assignment->partition())];
  }
  bool IsCurrent(const std::shared_ptr<Assignment>& assignment) {
    return !dead_ && ReaderOf(assignment).assignment == assignment;
  }
  bool Dies(std::string_view call) {
    if (!dead_ && options_.dies && options_.dies(call)) {
      dead_ = true;
      FailAll(StatusCode::kFenced);
    }
    return dead_;
  }
  void FailAll(StatusCode code) {
    for (Reader& reader : readers_) {
      if (reader.assignment != nullptr) reader.assignment->Fail(code);
    }
    changed_.notify_all();
  }
  End Ended() const {
    return End{dead_ ? Status(StatusCode::kCancelled, "the process died here by the test's wish") : Status()};
  }

  /// Work of one partition, or End when it has none at the moment.
  Work Take(size_t partition) {
    Reader& reader = readers_[partition];
    MemoryLog::Partition& log = log_->partitions[partition];
    const auto number = static_cast<int32_t>(partition);
    if (reader.state == State::kFresh) {
      reader.state = State::kInHand;
      reader.assignment = std::make_shared<FakeAssignment>(log_->topic, number, static_cast<int32_t>(readers_.size()));
      Opening opening{reader.assignment, log.committed, log.log_start, log.log_end()};
      if (log.requests) opening.requests = RequestLog{0, static_cast<int64_t>(log.requests->size())};
      return opening;
    }
    if (reader.state != State::kReady || paused_) return End{};
    // What may have begun comes first, then the stream to its end, then the other requests.
    const bool begun = reader.next_request && *reader.next_request < reader.noted;
    if (begun || (reader.position >= log.log_end() && AreLeft(reader, log))) {
      reader.state = State::kInHand;
      return CutRequests(reader, log, begun ? reader.noted : static_cast<int64_t>(log.requests->size()));
    }
    if (reader.position >= log.log_end()) {
      reader.state = State::kEnded;
      return End{};
    }
    reader.state = State::kInHand;
    return Cut(reader, number, log);
  }

  static bool AreLeft(const Reader& reader, const MemoryLog::Partition& log) {
    return reader.next_request && *reader.next_request < static_cast<int64_t>(log.requests->size());
  }

  RequestBatch CutRequests(const Reader& reader, const MemoryLog::Partition& log, int64_t end) const {
    const int64_t first = *reader.next_request;
    end = std::min(end, first + static_cast<int64_t>(std::max<size_t>(1, options_.batch_records)));
    RequestBatch batch{reader.assignment, {}, end, log_};
    for (int64_t offset = first; offset < end; ++offset) {
      batch.records.push_back({offset, 0, {}, (*log.requests)[static_cast<size_t>(offset)], {}, {}});
    }
    return batch;
  }

  Batch Cut(const Reader& reader, int32_t partition, const MemoryLog::Partition& log) const {
    const size_t wanted =
        options_.batch_border ? options_.batch_border(partition, reader.position) : options_.batch_records;
    const int64_t end = std::min(log.log_end(), reader.position + static_cast<int64_t>(std::max<size_t>(1, wanted)));
    Batch batch{reader.assignment, {}, end, log_};
    for (int64_t offset = reader.position; offset < end; ++offset) {
      const MemoryLog::Message& message = log.messages[static_cast<size_t>(offset - log.log_start)];
      if (message.mark) {
        batch.marks.push_back(*message.mark);
      } else {
        batch.records.push_back({offset, 0, message.decoded, message.event, message.key, message.value});
      }
    }
    return batch;
  }

  const std::shared_ptr<MemoryLog> log_;
  const MemorySourceOptions options_;
  mutable std::mutex mu_;
  std::condition_variable changed_;
  std::vector<Reader> readers_;  // guarded by mu_
  size_t turn_ = 0;              // guarded by mu_
  int64_t records_ = 0;          // guarded by mu_
  bool paused_ = false;          // guarded by mu_
  bool stopped_ = false;         // guarded by mu_
  bool dead_ = false;            // guarded by mu_
};

}  // namespace fensi::consumer
