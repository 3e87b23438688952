// What was fetched of one assigned partition and waits for a worker, and how far workers are. No Kafka in it.
//
// Its life: unopened (the poll thread asks the broker for offsets) -> opening -> opening in hand -> begun. It has the
// log of the stream, and that of the requests beside it where there is one: LogTurns says which is worked on. Not
// thread-safe: PartitionQueues guards it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "consumer/change_source.h"
#include "consumer/kafka/group/batch_pace.h"
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/log_queue.h"
#include "consumer/kafka/group/log_turns.h"
#include "consumer/kafka/group/message_chunk.h"
#include "consumer/kafka/group/offset_tracker.h"
#include "consumer/kafka/group/poll_time.h"
#include "consumer/kafka/partition_offset.h"
#include "consumer/part_joiner.h"

namespace fensi::consumer {

class PartitionQueue {
 public:
  struct RawBatch {
    std::shared_ptr<Assignment> assignment;
    std::shared_ptr<MessageChunk> messages;
    std::shared_ptr<PartJoiner> joiner;  // of the assignment
    Log log = Log::kStream;
  };
  using Taken = std::variant<Opening, RawBatch, consumer::Committed>;

  // Workers. `idle`: also what may wait for other partitions. `most`: of a batch of the stream.
  std::optional<Taken> Take(bool idle, PollTime now, const LogQueue::Most& most);
  std::optional<Taken> Take(bool idle, PollTime now) { return Take(idle, now, {}); }
  std::optional<Taken> TakeAllButBatches();
  /// What Begin will begin too. False: the opening is not in hand.
  bool BeginRequests(RequestsStart start);
  /// False: the opening is not in hand.
  bool Begin(int64_t offset, PollTime now = PollTime(0));
  /// False: no batch of this log is in hand.
  bool Done(Log log, int64_t next_offset, PollTime now);

  // Poll thread.
  /// Does nothing unless it is unopened.
  void Open(Opening opening, std::shared_ptr<KafkaAssignment> assignment);
  /// The assignment ends; unopened again. What the client was told to pause stays paused.
  void Fence();
  LogQueue::Offered Offer(Log log, const FetchedMessage& message, const LogQueue::Limits& limits);
  LogQueue::Offered ReadToEnd(Log log, int64_t offset);
  /// So far the group has committed; true when a worker is to be told: the first commit of the log and assignment.
  bool Committed(Log which, int64_t offset, PollTime now);
  /// What to commit so that Kafka has a commit of a log that has begun: one that has none, or an old one, which brokers
  /// may forget. Absent: nothing.
  std::optional<int64_t> Witness(Log which, PollTime now) const;
  bool witnessed(Log which) const { return witnesses_[which == Log::kRequests].has_value(); }

  LogQueue& log(Log which) { return which == Log::kStream ? stream_ : requests_; }
  const LogQueue& log(Log which) const { return which == Log::kStream ? stream_ : requests_; }
  bool unopened() const { return state_ == State::kUnopened; }
  bool begun() const { return state_ == State::kBegun; }
  /// Those that were told about at the opening, whether they are read or not.
  const std::optional<RequestLog>& requests() const { return opening_.requests; }
  bool batch_in_hand() const { return in_hand_.has_value(); }
  bool in_hand() const { return batch_in_hand() || state_ == State::kOpeningInHand; }
  /// Everything up to the ends that the logs had when it was opened was read, and is done.
  bool AtEnd() const;
  const std::shared_ptr<KafkaAssignment>& assignment() const { return assignment_; }
  size_t held_bytes() const { return stream_.held() + requests_.held() + held_parts_bytes_; }
  size_t held_parts_bytes() const { return held_parts_bytes_; }
  /// Parts of a mutation from here on wait for the others.
  const std::optional<int64_t>& held_from() const { return held_from_; }
  int64_t left() const { return std::max<int64_t>(0, stream_.log_end() - tracker_.committable()); }
  int64_t requests_left() const;
  /// An offset of the stream that is done and not yet committed.
  std::optional<int64_t> committable() const;
  /// The broker said where the log of the stream ends, at this moment (milliseconds since the epoch).
  void NoteEnd(int64_t end, int64_t wall_millis);
  std::optional<int64_t> end_told_at() const { return end_told_at_; }
  /// Only of one that has begun.
  PartitionState state();

 private:
  enum class State { kUnopened, kOpening, kOpeningInHand, kBegun };

  std::optional<Log> TakeTurn(bool idle, PollTime now) const;
  RawBatch HandOut(Log log, PollTime now, const LogQueue::Most& most);
  LogQueue::Most MostOf(Log log, const LogQueue::Most& most) const;
  /// What is no message at the end of the stream, as ends of transactions, is done with all that is before.
  void PassEnd();
  std::optional<Taken> TakeCommit();

  State state_ = State::kUnopened;
  std::shared_ptr<KafkaAssignment> assignment_;
  Opening opening_;
  std::optional<RequestsStart> requests_start_;
  LogQueue stream_;
  LogQueue requests_;
  LogTurns turns_;
  OffsetTracker tracker_{0};
  std::shared_ptr<PartJoiner> joiner_ = std::make_shared<PartJoiner>();  // in the hands of who has the batch
  std::optional<int64_t> held_from_;                                     // not to be committed away
  size_t held_parts_bytes_ = 0;                                          // of those parts, beside the queues
  std::optional<Log> in_hand_;                                           // a batch of it
  PollTime handed_out_{0};
  size_t in_hand_records_ = 0;  // of the stream
  BatchPace pace_;
  int64_t committed_ = -1;
  std::optional<PollTime> witnesses_[2] = {};  // of each log: when its commit was seen or made
  bool commit_to_tell_[2] = {false, false};    // of each log, to a worker, once
  // What is told of it, in Kafka's times.
  std::optional<int64_t> in_hand_time_;       // of the first message in hand
  std::optional<int64_t> in_hand_last_time_;  // of the last
  std::optional<int64_t> applied_time_;
  std::optional<int64_t> end_told_at_;
  std::optional<int64_t> fresh_until_;
};

}  // namespace fensi::consumer
