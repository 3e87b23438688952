// A change stream for the indexer: ordered batches per partition, owned by one worker at a time.
//
// Implementations: KafkaSource (consumer/kafka), FileSource (a recorded file; one partition), MemorySource (tests).
// Life of a partition: Opening -> Begin -> Batch, Done, Batch, Done … -> lost or closed. At most one worker holds a
// partition at any moment: from the Opening or Batch that Next() hands out until Begin, Done or Abandon. Beside the
// stream there may be a topic of requests; its partition p belongs to the owner of the stream's partition p.
// Thread-safe; Next blocks, the other calls return soon unless stated otherwise.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {

// Measures of a change stream at one moment: the progress of each partition, and the state of the group.

/// A position in a stream, for error messages.
struct StreamPosition {
  std::string topic;
  int32_t partition = 0;
  std::optional<int64_t> offset = {};  // absent: the whole partition
};

/// "topic t partition 3".
inline std::string PartitionText(const std::string& topic, int32_t partition) {
  return "topic " + topic + " partition " + std::to_string(partition);
}

/// The progress of a partition that this process owns and has begun. Times are Kafka's message times, in milliseconds
/// since the epoch.
struct PartitionState {
  int32_t partition = 0;
  int64_t applied = 0;  // next offset to read: everything below is done
  std::optional<int64_t> committed;
  int64_t log_end = 0;                  // as last reported
  std::optional<int64_t> end_told;      // time of that report, in milliseconds since the epoch
  std::optional<int64_t> oldest_time;   // of the oldest message that was fetched and is not done
  std::optional<int64_t> applied_time;  // of the newest message that is done
  std::optional<int64_t> fresh_until;   // everything that was in the log by then is applied; never falls
  bool full = false;                    // paused because its queue is full
};

struct StreamState {
  std::vector<PartitionState> partitions;
  int32_t assigned = 0;
  int32_t topic_partitions = 0;         // 0: unknown yet
  std::optional<int64_t> retention_ms;  // how long the topic keeps messages; absent: for ever, or unknown
  size_t held_bytes = 0;
  size_t held_limit = 0;
  std::optional<StreamPosition> lost = {};               // the position for which the source ended: the log has it no
                                                         // more
  bool at_rest = false;                                  // paused, and no batch is in flight
  int64_t assignments = 0, revocations = 0, losses = 0;  // of all partitions together, by the group
  int64_t fenced = 0;                                    // number of times the right to all partitions ended by silence
  int64_t commit_failures = 0;
  std::optional<int64_t> last_commit;           // milliseconds since the epoch
  std::optional<int64_t> log_end_checked;       // when all log ends were last reported, milliseconds since the epoch
  std::optional<bool> reachable;                // a broker is connected; absent: the source has no brokers
  std::chrono::milliseconds broker_silence{0};  // time since a broker was connected
  std::chrono::milliseconds poll_silence{0};    // of the poll thread
  std::chrono::milliseconds poll_limit{0};      // longest allowed silence; 0: there is no poll thread
};

// A change stream for the indexer: ordered batches per partition, owned by one worker at a time.

/// This process's right to work on one partition, from assignment to loss. Caches of row states belong to one
/// Assignment object and end with it; a later assignment of the same partition is another object.
class Assignment {
 public:
  virtual ~Assignment() = default;
  virtual const std::string& topic() const = 0;
  virtual int32_t partition() const = 0;
  /// Number of partitions of the topic at the assignment; a change would change the owner of rows.
  virtual int32_t partition_count() const = 0;
  /// Ok while the partition is surely ours. kFenced from the moment another process may own it (revoked, lost, or no
  /// successful poll for too long on a clock that counts suspension). kCancelled after Stop, when work in flight had
  /// its time. Cheap: call it before planning a batch and before every store call.
  virtual Status Check() const = 0;
  /// True if this assignment has committed an offset. Never true for streams that keep no offsets.
  virtual bool has_committed() const { return false; }
};

/// The one partition of a stream that has no partitions. Always ours, unless a subclass says otherwise.
class OnlyPartition : public Assignment {
 public:
  explicit OnlyPartition(std::string topic) : topic_(std::move(topic)) {}
  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return 0; }
  int32_t partition_count() const override { return 1; }
  Status Check() const override { return {}; }

 private:
  const std::string topic_;
};

inline std::string PartitionText(const Assignment& assignment) {
  return PartitionText(assignment.topic(), assignment.partition());
}

/// A change that the log has had for so long is visible at its source.
constexpr std::chrono::seconds kOldAge{60};

/// One message of the stream: an event, or the reason why its bytes are no event.
struct Record {
  int64_t offset = 0;
  int64_t message_time = 0;  // milliseconds since the epoch, by the clock of the producer or the broker; 0: unknown
  Status decoded;            // not ok: `event` is empty and the message goes to the dead letters
  ChangeEvent event;
  /// The message as received, for dead letters. Views into memory that the Batch owns.
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // how often, by its sender, it was a dead letter and sent again
  bool old = false;      // the log had it kOldAge ago, by the monotonic clock of this process
};

/// One message of the requests: a request, or the reason why its bytes are no request.
struct RequestRecord {
  int64_t offset = 0;
  int64_t message_time = 0;  // as in Record
  Status decoded;            // not ok: `request` is empty
  Request request;
  /// The message as received. Views into memory that the RequestBatch owns.
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // as in Record
};

/// The offsets of a partition's request log at the opening of the partition.
struct RequestLog {
  int64_t log_start = 0;   // first offset that can be read
  int64_t log_end = 0;     // offset after the last message
  bool committed = false;  // the group has a commit of the log, which Kafka forgets together with the topic
};

/// Where requests begin: below `done` all are done, from there to `noted` some may have begun.
struct RequestPosition {
  int64_t done = 0;
  int64_t noted = 0;
};

/// A partition that was just assigned and has not begun. The worker decides where it starts: Begin, or Abandon.
struct Opening {
  std::shared_ptr<Assignment> assignment;
  std::optional<int64_t> committed;                   // next offset by the group's last commit
  int64_t log_start = 0;                              // first offset that can be read
  int64_t log_end = 0;                                // offset after the last message
  std::optional<RequestLog> requests = std::nullopt;  // absent: there are no requests
  std::string cluster = {};                           // id of the Kafka cluster; empty: unknown
};

/// Consecutive messages of one partition in offset order, at least one: records, or watermarks between them.
struct Batch {
  std::shared_ptr<Assignment> assignment;
  std::vector<Record> records;
  int64_t next_offset = 0;               // committed by Done
  std::shared_ptr<void> memory;          // owns the bytes of the records' views
  std::chrono::nanoseconds decoding{0};  // time spent on decoding it
  std::vector<Mark> marks;               // they count when the whole batch is done
};

/// Consecutive messages of the partition's requests in offset order, at least one. Never in flight together with a
/// Batch of the same partition. A batch ends where the recorded range of RequestPosition ends.
struct RequestBatch {
  std::shared_ptr<Assignment> assignment;
  std::vector<RequestRecord> records;
  int64_t next_offset = 0;       // offset after the last of them
  std::shared_ptr<void> memory;  // owns the bytes of the records' views
};

/// The stream has ended: every partition reached its end (until_end), or Stop was called and the source is drained.
struct End {
  Status status;  // reason, if it is not the regular end
};

/// This assignment has made the group's first commit of this log; sent once per log. Needs no answer. The result of the
/// last commits before the end is known after Close (Assignment::has_committed).
struct Committed {
  std::shared_ptr<Assignment> assignment;
  bool requests = false;  // the log of the requests, not of the stream
};

using Work = std::variant<Opening, Batch, RequestBatch, Committed, End>;

class ChangeSource {
 public:
  virtual ~ChangeSource() = default;

  /// Blocks until there is work for the calling worker. After End it returns End again, to every worker.
  virtual Work Next() = 0;
  /// Starts reading an Opening's partition at `offset`.
  virtual Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) = 0;
  /// Call before Begin: sets where the requests of an Opening begin. Without this call they are not read.
  virtual Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition start);
  /// The batch's writes are all acknowledged: its next_offset may be committed (soon; at the latest at revoke and
  /// Close). The partition's next batch may be handed out.
  virtual void Done(const Batch& batch) = 0;
  /// The requests are done, and the partition's next batch may be handed out. Commits nothing: the caller keeps the
  /// position of requests.
  virtual void Done(const RequestBatch& batch);
  /// Confirms that everything handed out before the call is of the logs that were opened, and not of later logs of the
  /// same names (a topic that was deleted and created again). Blocks a few seconds at most. kUnavailable: unknown now.
  /// kGap: the stream is another one, and the source ends. If the request log is another one, the partition is given
  /// up, and Assignment::Check fails after the call. Unless overridden: ok, for logs that cannot be replaced.
  virtual Status Confirm() { return {}; }
  /// Gives the partition back without progress: the batch comes again, here or elsewhere, after a new assignment.
  virtual void Abandon(const std::shared_ptr<Assignment>& assignment) = 0;
  /// While paused, no batch is handed out; partitions are still assigned, begun and revoked, and finished work is
  /// committed. Any thread, returns at once. Unless overridden: ignored, by a source that ends by itself.
  virtual void SetPaused(bool /*paused*/) {}
  /// Requests the end: no new batches; batches in flight may still be Done. Any thread, returns at once.
  virtual void Stop() = 0;
  /// Commits finished work and leaves the group. Blocks a bounded time; call it after all workers saw End.
  virtual Status Close() = 0;

  /// Progress for people, in one line.
  struct Progress {
    int64_t records = 0;                  // handed out and done
    std::optional<int64_t> records_left;  // to the end of the log, if known
    int32_t partitions = 0;               // assigned now
    int64_t requests_left = 0;            // requests that wait
    std::string trouble;  // why nothing moves at the moment ("broker 127.0.0.1:9092 is away since 12 s")
  };
  virtual Progress progress() const = 0;
  /// State for programs. Unless overridden: empty, for streams without offsets.
  virtual StreamState state() const { return {}; }
};

}  // namespace fensi::consumer
