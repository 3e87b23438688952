// What the poll thread puts up and the workers take: one lane per assigned partition. No Kafka in it.
//
// Life of a lane: unopened (the poll thread asks the broker for offsets) -> opening -> opening in hand -> seeking (a
// worker has called Begin; the client is to be told where to read) -> reading. Draining: nothing more is handed out,
// batches in hand may be done. Invariants:
//  1. At most one Opening or Batch of a lane is in hand.
//  2. Messages of a lane are handed out in offset order, each once per assignment.
//  3. Bytes held, queued and in hand, stay below max_queued_bytes plus one message per lane.
//  4. Nothing of a fenced assignment is handed out or becomes committable.
// Thread-safe; only Take and Drain block.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "consumer/change_source.h"
#include "consumer/kafka/group/message_chunk.h"
#include "consumer/kafka/group/offset_tracker.h"
#include "consumer/kafka/group/ownership.h"
#include "consumer/kafka/partition_offset.h"
#include "consumer/part_joiner.h"

namespace fensi::consumer {

struct WorkBoardOptions {
  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;
  size_t max_queued_bytes = 32 << 20;
  bool one_in_hand = false;  // over all lanes: the topic is not partitioned by row
  bool until_end = false;
};

class WorkBoard {
 public:
  using Offset = PartitionOffset;
  struct RawBatch {
    std::shared_ptr<Assignment> assignment;
    std::shared_ptr<MessageChunk> messages;
    std::shared_ptr<PartJoiner> joiner;  // of the assignment
  };
  using Taken = std::variant<Opening, RawBatch, consumer::Committed, End>;

  explicit WorkBoard(const WorkBoardOptions& options) : options_(options) {}

  // Workers.
  Taken Take();
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset);
  /// True when the lane is paused and may go on: the poll thread should look.
  bool Done(const std::shared_ptr<Assignment>& assignment, int64_t next_offset, size_t records);
  void Abandon(const std::shared_ptr<Assignment>& assignment);
  void Stop();

  // Poll thread: assignments.
  /// New lanes, all unopened, in place of all others.
  void Assign(std::vector<int32_t> partitions);
  std::vector<int32_t> Unopened() const;
  /// The lane can be handed out as an Opening of `assignment`.
  void Open(std::shared_ptr<KafkaAssignment> assignment, std::optional<int64_t> committed, int64_t log_start,
            int64_t log_end);
  /// Hands out nothing more; true when no batch is in hand any more before the time is over.
  bool Drain(std::chrono::milliseconds patience);
  /// Fences every assignment. With `keep` the lanes are unopened again, otherwise gone.
  void FenceAll(bool keep);
  /// The end for all workers, once; the first reason stays.
  void Finish(Status status);

  // Poll thread: messages.
  std::vector<Offset> Seeks() const;
  void Reading(int32_t partition);
  /// False: the lane is full and must be paused (see Flow), or must be read again from where it is wanted (see Seeks).
  /// Messages nobody waits for are dropped. Logs have holes (ends of transactions, compaction), and a client may have
  /// skipped messages around a pause or a seek: the first message after such, when it is beyond the next offset, is
  /// believed only when it comes again after reading from there anew; those that follow it are read one by one.
  bool Offer(int32_t partition, const MessageChunk::Message& message);
  /// For people: the log ends at `offset` for now.
  void LogEnds(int32_t partition, int64_t offset);
  /// The log ends at `offset`: everything below was offered, or is no message. False: see Offer.
  bool ReadToEnd(int32_t partition, int64_t offset);
  /// Whether a hole was believed since the last call: the log may be one that is compacted.
  bool TakeHole();
  /// The next offset of a lane that is being read.
  std::optional<int64_t> Position(int32_t partition) const;
  /// Every lane that has begun, and the next offset wanted.
  std::vector<Offset> Wanted() const;
  /// A lane waits to be opened, or for a worker to begin it.
  bool AnyToBegin() const;
  struct Flow {
    std::vector<int32_t> pause;
    std::vector<int32_t> resume;
  };
  /// What changed since the last call.
  Flow TakeFlow();

  /// Offsets that are done and not yet committed.
  std::vector<Offset> Committable() const;
  void Committed(const std::vector<Offset>& offsets);

  ChangeSource::Progress progress() const;
  size_t held_bytes() const;

 private:
  enum class State { kUnopened, kOpening, kOpeningInHand, kSeeking, kReading };
  /// What came in place of an offset after the client was told to read from there.
  struct Hole {
    int64_t from = -1;
    int64_t next = 0;     // the lowest that came
    bool is_end = false;  // it was the end of the log
    int sightings = 0;
  };
  struct Lane {
    State state = State::kUnopened;
    std::shared_ptr<KafkaAssignment> assignment;
    Opening opening;
    OffsetTracker tracker{0};
    std::shared_ptr<PartJoiner> joiner = std::make_shared<PartJoiner>();  // in the hands of who has the batch
    std::optional<int64_t> hold;  // parts of a mutation from here on wait for the others: not to be committed away
    size_t held_parts_bytes = 0;  // of those, beside `held`
    std::deque<std::shared_ptr<MessageChunk>> queue;
    size_t held = 0;       // bytes queued and in hand
    bool in_hand = false;  // a batch
    bool paused = false;
    int64_t expected = 0;  // the next offset to queue
    int64_t read_to = 0;   // where the broker said that the log ends, after all below was queued
    bool fresh = true;     // nothing was read yet since the client was told where: it may have skipped some
    Hole hole;
    int64_t committed = -1;
    bool commit_to_tell = false;  // to a worker, once
    int64_t log_end = 0;
    int64_t committable() const { return std::min(tracker.committable(), hold.value_or(tracker.committable())); }
    bool begun() const { return state == State::kSeeking || state == State::kReading; }
  };

  std::optional<Taken> TakeFrom(Lane* lane);
  static bool BelieveHole(Lane* lane, int64_t next, bool is_end);
  Lane* Find(const std::shared_ptr<Assignment>& assignment);
  size_t LaneLimit() const;
  bool AllAtEnd() const;
  bool AnyInHand() const;

  const WorkBoardOptions options_;
  mutable std::mutex mu_;
  std::condition_variable changed_;
  // All guarded by mu_.
  std::map<int32_t, Lane> lanes_;
  int32_t last_taken_ = -1;
  bool assigned_ = false;  // at least once since the last loss
  bool draining_ = false;
  bool stopped_ = false;
  std::optional<Status> end_;
  int64_t records_done_ = 0;
  bool hole_ = false;  // believed
};

}  // namespace fensi::consumer
