// A change stream as the indexer sees it: ordered batches per partition, owned by one worker at a time.
//
// Implementations: KafkaSource (consumer/kafka), FileSource (a recorded file; one partition), MemorySource (tests).
// Life of a partition: Opening -> Begin -> Batch, Done, Batch, Done … -> lost or closed. One partition is in the hands
// of at most one worker at any moment: from the Opening or Batch that Next() hands out until Begin, Done or Abandon.
// Beside the stream there may be a topic of requests; its partition p belongs to who has the stream's partition p.
// Thread-safe; Next blocks, the others return soon unless said otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/request.h"
#include "consumer/stream_state.h"

namespace fensi::consumer {

/// This process's right to work on one partition, from assignment to loss. Caches of row states belong to one
/// Assignment object and die with it; a later assignment of the same partition is another object.
class Assignment {
 public:
  virtual ~Assignment() = default;
  virtual const std::string& topic() const = 0;
  virtual int32_t partition() const = 0;
  /// Partitions the topic had when it was assigned; their growth would change the owner of rows.
  virtual int32_t partition_count() const = 0;
  /// Ok while the partition is surely ours; kFenced from the moment it may belong to somebody else (revoked, lost, or
  /// no good poll for too long on a clock that counts suspension); kCancelled when Stop was called and work in hand had
  /// its time. Cheap: call it before planning a batch and before every store call.
  virtual Status Check() const = 0;
  /// This assignment has committed an offset. Never true for streams that keep no offsets.
  virtual bool has_committed() const { return false; }
};

/// One message of the stream: an event, or the reason why its bytes are none.
struct Record {
  int64_t offset = 0;
  int64_t broker_time = 0;  // milliseconds since the epoch; 0: unknown
  Status decoded;           // not ok: `event` is empty and the message goes to the dead letters
  ChangeEvent event;
  /// The message as it came, for dead letters. Views into memory that the Batch owns.
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // how often its sender says that it was parked and sent again
};

/// One message of the requests: a request, or the reason why its bytes are none.
struct RequestRecord {
  int64_t offset = 0;
  int64_t broker_time = 0;  // milliseconds since the epoch; 0: unknown
  Status decoded;           // not ok: `request` is empty
  Request request;
  /// The message as it came. Views into memory that the RequestBatch owns.
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // as of a Record
};

/// What the log of a partition's requests held when the partition was opened.
struct RequestLog {
  int64_t log_start = 0;   // first offset that can be read
  int64_t log_end = 0;     // offset behind the last message
  bool committed = false;  // the group has a commit of it, which Kafka forgets together with the topic
};

/// Where requests begin: below `done` all is done, from there to `noted` some may have begun.
struct RequestsStart {
  int64_t done = 0;
  int64_t noted = 0;
};

/// A partition that was just assigned and has not begun. The worker decides where it starts: Begin, or Abandon.
struct Opening {
  std::shared_ptr<Assignment> assignment;
  std::optional<int64_t> committed;                   // next offset to read by the group's last commit
  int64_t log_start = 0;                              // first offset that can be read
  int64_t log_end = 0;                                // offset behind the last message
  std::optional<RequestLog> requests = std::nullopt;  // absent: nobody can ask
  std::string cluster = {};                           // id of the Kafka that has the topic; empty: not known
};

/// Consecutive messages of one partition in offset order, at least one: records, or marks that stand among them.
struct Batch {
  std::shared_ptr<Assignment> assignment;
  std::vector<Record> records;
  int64_t next_offset = 0;               // committed by Done
  std::shared_ptr<void> memory;          // owns what the records' views point to
  std::chrono::nanoseconds decoding{0};  // what it took to make it of bytes
  std::vector<Mark> marks;               // what they say counts when the whole batch is done
};

/// Consecutive messages of the partition's requests in offset order, at least one. Never in hand beside a Batch of the
/// same partition. Where the noted range of RequestsStart ends, a batch ends.
struct RequestBatch {
  std::shared_ptr<Assignment> assignment;
  std::vector<RequestRecord> records;
  int64_t next_offset = 0;       // behind the last of them
  std::shared_ptr<void> memory;  // owns what the records' views point to
};

/// Nothing more will come: every partition reached its end (until_end), or Stop was called and drained.
struct End {
  Status status;  // why, when it is not the regular end
};

/// The group has a commit of this log, made by this assignment; once for each log, the first time. Nothing to answer.
/// What the last commits before the end achieve is known after Close (Assignment::has_committed).
struct Committed {
  std::shared_ptr<Assignment> assignment;
  bool requests = false;  // the log of the requests beside the stream
};

using Work = std::variant<Opening, Batch, RequestBatch, Committed, End>;

class ChangeSource {
 public:
  virtual ~ChangeSource() = default;

  /// Blocks until there is work for the calling worker. After End it returns End again, to every worker.
  virtual Work Next() = 0;
  /// Starts reading an Opening's partition at `offset`.
  virtual Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) = 0;
  /// Before Begin: where the requests of an Opening that has some begin. Without it they are not read.
  virtual Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestsStart start);
  /// The batch's writes are all acknowledged: its next_offset may be committed (soon; at the latest at revoke and
  /// Close). The partition's next batch may now be handed out.
  virtual void Done(const Batch& batch) = 0;
  /// The requests are done, and the partition's next batch may be handed out. Commits nothing: how far requests are
  /// done is for whoever applies them to keep.
  virtual void Done(const RequestBatch& batch);
  /// Whether all that was handed out before the call is of the logs that were begun, and not of others of their names
  /// (a topic that was deleted and created again). Blocks some seconds at most. kUnavailable: it is not known now.
  /// kGap: the stream is another one, and the source ends. Where it is another log of requests, the partition is given
  /// up: Assignment::Check says so after the call. Unless overridden: ok, as of logs that nobody can exchange.
  virtual Status Confirm() { return {}; }
  /// Gives the partition back without progress: the batch will come again, here or elsewhere, after a new assignment.
  virtual void Abandon(const std::shared_ptr<Assignment>& assignment) = 0;
  /// While it is paused no batch is handed out; partitions still come, begin and go, and what is done is committed. Any
  /// thread, returns at once. Unless overridden: not heeded, by a source that ends by itself.
  virtual void SetPaused(bool /*paused*/) {}
  /// Asks for the end: no new batches, batches in hand may still be Done. Any thread, returns at once.
  virtual void Stop() = 0;
  /// Commits what is done, leaves the group. Blocks a bounded time; call it after all workers saw End.
  virtual Status Close() = 0;

  /// For people: one line of progress.
  struct Progress {
    int64_t records = 0;                  // handed out and done
    std::optional<int64_t> records_left;  // to the end of the log, if known
    int32_t partitions = 0;               // assigned now
    int64_t requests_left = 0;            // that wait beside the stream
    std::string trouble;  // why nothing moves at the moment ("broker 127.0.0.1:9092 is away since 12 s")
  };
  virtual Progress progress() const = 0;
  /// For programs. Unless overridden: nothing is known, as of streams without offsets.
  virtual StreamState state() const { return {}; }
};

}  // namespace fensi::consumer
