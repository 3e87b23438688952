// The queues between the poll thread and the workers: one per assigned partition. No Kafka in it.
//
// Draining: nothing more is handed out, batches in flight may be done. Invariants:
//  1. At most one Opening or Batch of a queue is in flight.
//  2. Messages of a queue are handed out in offset order, each once per assignment.
//  3. Bytes held, queued and in flight, stay below max_queued_bytes plus one message per log.
//  4. Nothing of a fenced assignment is handed out or becomes committable.
// Thread-safe; only Take and Drain block.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/change_source.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/log_queue.h"
#include "consumer/kafka/group/partition_queue.h"

namespace fensi::consumer {

struct PartitionQueuesOptions {
  /// Bound of a batch of requests, whose reads and writes cost more than those of an event.
  static constexpr size_t kMostRequests = 2000;
  static constexpr size_t kMostRequestBytes = size_t{512} << 10;

  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;
  /// Up to this many usual batches become one while more is queued and the store is fast enough; with several queues,
  /// their share of what four queues have in flight. More would need more states than one piece may read.
  size_t max_batches_in_one = 3;
  size_t max_queued_bytes = 32 << 20;
  bool one_in_hand = false;  // over all queues: the topic is not partitioned by row
  bool until_end = false;
  Clock* clock = SystemClock();
};

class PartitionQueues {
 public:
  using Offset = PartitionOffset;
  using RawBatch = PartitionQueue::RawBatch;
  using Taken = std::variant<Opening, RawBatch, consumer::Committed, End>;

  explicit PartitionQueues(const PartitionQueuesOptions& options) : options_(options) {}

  // For workers.
  Taken Take();
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset);
  /// Call before Begin. kGap: not within the log that the opening reported.
  Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition start);
  /// True if the queue is paused and may be resumed: the poll thread should check.
  bool Done(Log log, const std::shared_ptr<Assignment>& assignment, int64_t next_offset, size_t records);
  void Abandon(const std::shared_ptr<Assignment>& assignment);
  /// While paused, no batch is handed out. Any thread.
  void SetPaused(bool paused);
  void Stop();

  // For the poll thread: assignments.
  /// Replaces all queues by new ones, all unopened.
  void Assign(std::vector<int32_t> partitions);
  std::vector<int32_t> Unopened() const;
  /// Makes the queue available as an Opening of `assignment`, which is put into it.
  void Open(std::shared_ptr<KafkaAssignment> assignment, Opening opening);
  /// Ends the right to a partition, which is unopened again. Any thread.
  void OpenAgain(int32_t partition);
  /// Hands out nothing more; true if no batch is in flight before the time is over.
  bool Drain(std::chrono::milliseconds timeout);
  /// Fences every assignment. With `keep` the queues are unopened again, otherwise removed.
  void FenceAll(bool keep);
  /// Ends all workers, once; the first reason stays.
  void Finish(Status status);

  // For the poll thread: messages.
  struct Places {
    std::vector<Offset> seeks;   // where the client must seek
    std::vector<Offset> wanted;  // every log that has begun, with its next offset
    bool any_to_begin = false;   // a queue waits to be opened, or for a worker to begin it
  };
  Places places() const;
  void Reading(LogId log);
  /// False: the queue is full and must be paused (see Flow), or must be read again from its wanted offset (see places).
  /// Drops messages that no queue waits for. Logs have holes (ends of transactions, compaction), and a client may have
  /// skipped messages around a pause or a seek: if the first message after such is beyond the next offset, it is
  /// accepted only when it arrives again after a new read from there; the messages after it are read one by one.
  bool Offer(LogId log, const FetchedMessage& message);
  /// The log ends at `offset`: everything below was offered, or is no message. False: see Offer.
  bool ReadToEnd(LogId log, int64_t offset);
  /// The end of a stream's log, and how long ago the broker reported it.
  struct LogEnd {
    int32_t partition = 0;
    int64_t end = 0;
    std::chrono::milliseconds ago{0};
  };
  void NoteEnds(const std::vector<LogEnd>& ends);
  /// Sets why nothing arrives of a log, for people, until something does.
  void SetTrouble(LogId log, const std::string& trouble);
  struct Findings {
    bool hole = false;               // confirmed in a stream: it may be compacted
    std::optional<Offset> vanished;  // an offset that was read once, and was missing in many reads after that
  };
  /// Findings since the last call.
  Findings TakeFindings();
  /// The next offset of a log that is being read.
  std::optional<int64_t> Position(LogId log) const;
  struct Flow {
    std::vector<LogId> pause;
    std::vector<LogId> resume;
  };
  /// Changes since the last call.
  Flow TakeFlow();

  /// Offsets that are done and not committed yet.
  std::vector<Offset> Committable() const;
  /// Offsets to commit for logs whose commit is missing or old, although nothing more of them is done.
  std::vector<Offset> Witnesses() const;
  /// Logs with a commit of the group, by Kafka's last answer at their opening or commit.
  std::vector<LogId> Witnessed() const;
  /// As Witnessed; waits until it is every log that has begun. Absent: timeout. Any thread.
  std::optional<std::vector<LogId>> AllWitnessed(std::chrono::milliseconds timeout);
  void Committed(const std::vector<Offset>& offsets);

  ChangeSource::Progress progress() const;
  /// The state of the partitions; leaves the group's part out.
  StreamState state();
  size_t held_bytes() const;

 private:
  std::optional<Taken> TakeNext(bool idle) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Takes the result of a message or of the end of a log; returns whether to read on.
  bool Note(const LogQueue::Offered& offered, LogId log) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  PartitionQueue* Find(int32_t partition) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  PartitionQueue* Find(const std::shared_ptr<Assignment>& assignment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// The share of each log of a partition in their common bounds.
  LogQueue::Limits LimitsOf(const PartitionQueue& queue, Log log) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  LogQueue::Most MostOfABatch(const PartitionQueue& queue) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool AllAtEnd() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool AnyInHand() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool AnyBatchInHand() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  std::vector<LogId> BegunLogs(bool witnessed) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const PartitionQueuesOptions options_;
  mutable Mutex mu_;
  Condition changed_;
  std::map<int32_t, PartitionQueue> queues_ ABSL_GUARDED_BY(mu_);
  int32_t last_taken_ ABSL_GUARDED_BY(mu_) = -1;
  bool assigned_ ABSL_GUARDED_BY(mu_) = false;  // at least once since the last loss
  bool draining_ ABSL_GUARDED_BY(mu_) = false;
  bool paused_ ABSL_GUARDED_BY(mu_) = false;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  std::optional<Status> end_ ABSL_GUARDED_BY(mu_);
  int64_t records_done_ ABSL_GUARDED_BY(mu_) = 0;
  Findings findings_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::consumer
