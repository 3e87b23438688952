// What the poll thread puts up and the workers take: one queue per assigned partition. No Kafka in it.
//
// Draining: nothing more is handed out, batches in hand may be done. Invariants:
//  1. At most one Opening or Batch of a queue is in hand.
//  2. Messages of a queue are handed out in offset order, each once per assignment.
//  3. Bytes held, queued and in hand, stay below max_queued_bytes plus one message per log.
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
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/message_chunk.h"
#include "consumer/kafka/group/partition_queue.h"
#include "consumer/kafka/partition_offset.h"

namespace fensi::consumer {

struct PartitionQueuesOptions {
  /// Of requests, whose reads and writes cost more than those of an event.
  static constexpr size_t kMostRequests = 2000;
  static constexpr size_t kMostRequestBytes = size_t{512} << 10;

  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;
  /// So many usual batches are one while more is queued and the store takes it in time; where there are several queues,
  /// their share of as many as four queues have in hand. More would ask for more states than one piece may.
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

  // Workers.
  Taken Take();
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset);
  /// Before Begin. kGap: not within the log that the opening told of.
  Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestsStart start);
  /// True when the queue is paused and may go on: the poll thread should look.
  bool Done(Log log, const std::shared_ptr<Assignment>& assignment, int64_t next_offset, size_t records);
  void Abandon(const std::shared_ptr<Assignment>& assignment);
  /// While they are paused no batch is handed out. Any thread.
  void SetPaused(bool paused);
  void Stop();

  // Poll thread: assignments.
  /// New queues, all unopened, in place of all others.
  void Assign(std::vector<int32_t> partitions);
  std::vector<int32_t> Unopened() const;
  /// The queue can be handed out as an Opening of `assignment`, which is put into it.
  void Open(std::shared_ptr<KafkaAssignment> assignment, Opening opening);
  /// The right to a partition ends, and it is unopened again. Any thread.
  void OpenAgain(int32_t partition);
  /// Hands out nothing more; true when no batch is in hand any more before the time is over.
  bool Drain(std::chrono::milliseconds timeout);
  /// Fences every assignment. With `keep` the queues are unopened again, otherwise gone.
  void FenceAll(bool keep);
  /// The end for all workers, once; the first reason stays.
  void Finish(Status status);

  // Poll thread: messages.
  struct Places {
    std::vector<Offset> seeks;   // where the client is to be told to read
    std::vector<Offset> wanted;  // every log that has begun, and the next offset wanted
    bool any_to_begin = false;   // a queue waits to be opened, or for a worker to begin it
  };
  Places places() const;
  void Reading(LogId log);
  /// False: the queue is full and must be paused (see Flow), or must be read again from where it is wanted (see
  /// places). Messages nobody waits for are dropped. Logs have holes (ends of transactions, compaction), and a client
  /// may have skipped messages around a pause or a seek: the first message after such, when it is beyond the next
  /// offset, is believed only when it comes again after reading from there anew; those that follow it are read one by
  /// one.
  bool Offer(LogId log, const FetchedMessage& message);
  /// The log ends at `offset`: everything below was offered, or is no message. False: see Offer.
  bool ReadToEnd(LogId log, int64_t offset);
  /// Where a stream's log ends, told at that moment (milliseconds since the epoch).
  struct LogEnd {
    int32_t partition = 0;
    int64_t end = 0;
    int64_t told_at = 0;
  };
  void NoteEnds(const std::vector<LogEnd>& ends);
  /// For people: why nothing comes of a log, until something does.
  void SetTrouble(LogId log, const std::string& trouble);
  struct Findings {
    bool hole = false;               // was believed in a stream: it may be one that is compacted
    std::optional<Offset> vanished;  // an offset that was read once, and in none of many looks after that
  };
  /// Since the last call.
  Findings TakeFindings();
  /// The next offset of a log that is being read.
  std::optional<int64_t> Position(LogId log) const;
  struct Flow {
    std::vector<LogId> pause;
    std::vector<LogId> resume;
  };
  /// What changed since the last call.
  Flow TakeFlow();

  /// Offsets that are done and not yet committed.
  std::vector<Offset> Committable() const;
  /// What is to be committed of logs whose commit is missing or old, though nothing more of them is done.
  std::vector<Offset> Witnesses() const;
  /// Logs that the group has a commit of, by what Kafka said when they were opened or committed last.
  std::vector<LogId> Witnessed() const;
  /// The same; waits until it is every log that has begun. Absent: not in this time. Any thread.
  std::optional<std::vector<LogId>> AllWitnessed(std::chrono::milliseconds timeout);
  void Committed(const std::vector<Offset>& offsets);

  ChangeSource::Progress progress() const;
  /// What is known of the partitions; the group's part of it is left as it is.
  StreamState state();
  size_t held_bytes() const;

 private:
  std::optional<Taken> TakeNext(bool idle) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// What has come of a message or of the end of a log; whether to go on reading.
  bool Note(const LogQueue::Offered& offered, LogId log) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  PartitionQueue* Find(int32_t partition) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  PartitionQueue* Find(const std::shared_ptr<Assignment>& assignment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Of the logs of a partition together, each has a share.
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
