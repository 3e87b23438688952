// The queue of one assigned partition: fetched messages that wait for a worker, and the progress of workers. No Kafka
// in it.
//
// States: unopened (the poll thread asks the broker for offsets) -> opening -> opening in flight -> begun. It has the
// log of the stream, and the log of the requests beside it if there is one: LogTurns chooses between them. Not
// thread-safe: PartitionQueues guards it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "consumer/change_source.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/log_queue.h"
#include "consumer/kafka/group/log_turns.h"
#include "consumer/kafka/group/offset_tracker.h"
#include "consumer/message_reassembler.h"

namespace fensi::consumer {

class PartitionQueue {
 public:
  struct RawBatch {
    std::shared_ptr<Assignment> assignment;
    std::shared_ptr<MessageChunk> messages;
    std::shared_ptr<MessageReassembler> joiner;  // of the assignment
    Log log = Log::kStream;
    int64_t old_below = 0;  // messages of the stream below this offset are old (Record::old)
  };
  using Taken = std::variant<Opening, RawBatch, consumer::Committed>;

  // For workers. `idle`: includes what may wait for other partitions. `most`: bound of a batch of the stream.
  std::optional<Taken> Take(bool idle, PollTime now, const LogQueue::Most& most);
  std::optional<Taken> Take(bool idle, PollTime now) { return Take(idle, now, {}); }
  std::optional<Taken> TakeAllButBatches();
  /// Sets where Begin starts the requests. False: the opening is not in flight.
  bool BeginRequests(RequestPosition start);
  /// False: the opening is not in flight.
  bool Begin(int64_t offset, PollTime now = PollTime(0));
  /// False: no batch of this log is in flight.
  bool Done(Log log, int64_t next_offset, PollTime now);

  // For the poll thread.
  /// Does nothing unless it is unopened.
  void Open(Opening opening, std::shared_ptr<KafkaAssignment> assignment);
  /// Ends the assignment; unopened again. Logs that the client was told to pause stay paused.
  void Fence();
  LogQueue::Offered Offer(Log log, const FetchedMessage& message, const LogQueue::Limits& limits);
  LogQueue::Offered ReadToEnd(Log log, int64_t offset);
  /// The group has committed up to `offset`; true if a worker must be told: the first commit of the log and assignment.
  bool Committed(Log which, int64_t offset, PollTime now);
  /// The offset to commit so that Kafka has a commit of a log that has begun: for a log without a commit, or with an
  /// old one, which brokers may forget. Absent: nothing.
  std::optional<int64_t> Witness(Log which, PollTime now) const;
  bool witnessed(Log which) const { return witnesses_[which == Log::kRequests].has_value(); }

  LogQueue& log(Log which) { return which == Log::kStream ? stream_ : requests_; }
  const LogQueue& log(Log which) const { return which == Log::kStream ? stream_ : requests_; }
  bool unopened() const { return state_ == State::kUnopened; }
  bool begun() const { return state_ == State::kStarted; }
  /// The requests that the opening reported, whether they are read or not.
  const std::optional<RequestLog>& requests() const { return opening_.requests; }
  bool batch_in_hand() const { return in_hand_.has_value(); }
  bool in_hand() const { return batch_in_hand() || state_ == State::kOpeningInHand; }
  /// True if everything up to the ends of the logs at the opening was read, and is done.
  bool AtEnd() const;
  const std::shared_ptr<KafkaAssignment>& assignment() const { return assignment_; }
  size_t held_bytes() const { return stream_.held() + requests_.held() + held_parts_bytes_; }
  size_t held_parts_bytes() const { return held_parts_bytes_; }
  /// From this offset on, parts of a mutation wait for the others.
  const std::optional<int64_t>& held_from() const { return held_from_; }
  int64_t left() const { return std::max<int64_t>(0, stream_.log_end() - tracker_.committable()); }
  int64_t requests_left() const;
  /// An offset of the stream that is done and not committed yet.
  std::optional<int64_t> committable() const;
  /// The broker reported this end of the stream's log at this moment.
  void NoteEnd(int64_t end, PollTime then, int64_t wall_millis);
  std::optional<int64_t> end_told_at() const { return end_told_at_; }
  /// Call only for a partition that has begun.
  PartitionState state();

 private:
  enum class State { kUnopened, kOpening, kOpeningInHand, kStarted };

  std::optional<Log> TakeTurn(bool idle, PollTime now) const;
  RawBatch HandOut(Log log, PollTime now, const LogQueue::Most& most);
  LogQueue::Most MostOf(Log log, const LogQueue::Most& most) const;
  /// Moves the committable offset over trailing non-messages (transaction markers).
  void PassEnd();
  std::optional<Taken> TakeCommit();

  State state_ = State::kUnopened;
  std::shared_ptr<KafkaAssignment> assignment_;
  Opening opening_;
  std::optional<RequestPosition> requests_start_;
  LogQueue stream_;
  LogQueue requests_;
  LogTurns turns_;
  OffsetTracker tracker_{0};
  AgedOffsets aged_{kOldAge};
  std::shared_ptr<MessageReassembler> joiner_ =
      std::make_shared<MessageReassembler>();  // used by the holder of the batch
  std::optional<int64_t> held_from_;           // must not be committed
  size_t held_parts_bytes_ = 0;                // of those parts, besides the queues
  std::optional<Log> in_hand_;                 // log of the batch in flight
  PollTime handed_out_{0};
  size_t in_hand_records_ = 0;  // of the stream
  BatchSizer pace_;
  int64_t committed_ = -1;
  std::optional<PollTime> witnesses_[2] = {};  // by log: when its commit was seen or made
  bool commit_to_tell_[2] = {false, false};    // by log: to be reported to a worker once
  // For the reported state, in Kafka's times.
  std::optional<int64_t> in_hand_time_;       // of the first message in flight
  std::optional<int64_t> in_hand_last_time_;  // of the last
  std::optional<int64_t> applied_time_;
  std::optional<int64_t> end_told_at_;
  std::optional<int64_t> fresh_until_;
};

}  // namespace fensi::consumer
