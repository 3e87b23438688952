#include "consumer/kafka/group/partition_queue.h"

#include <utility>

namespace fensi::consumer {
namespace {

// Far below what any broker keeps a commit for that is not made again (offsets.retention.minutes).
constexpr std::chrono::hours kWitnessAge(1);

/// Kafka has no time of some messages.
std::optional<int64_t> Known(int64_t time) { return time > 0 ? std::optional(time) : std::nullopt; }

}  // namespace

std::optional<PartitionQueue::Taken> PartitionQueue::TakeAllButBatches() {
  if (state_ == State::kOpening && assignment_->Owned()) {
    state_ = State::kOpeningInHand;
    return opening_;
  }
  return TakeCommit();
}

std::optional<PartitionQueue::Taken> PartitionQueue::TakeCommit() {
  for (const bool requests : {false, true}) {
    if (std::exchange(commit_to_tell_[requests], false)) return consumer::Committed{assignment_, requests};
  }
  return {};
}

std::optional<PartitionQueue::Taken> PartitionQueue::Take(bool idle, PollTime now, const LogQueue::Most& most) {
  if (std::optional<Taken> other = TakeAllButBatches()) return other;
  // M12: one batch in flight, of one of the two logs.
  if (!begun() || batch_in_hand() || !assignment_->Owned()) return {};
  const std::optional<Log> log = TakeTurn(idle, now);
  if (!log) return {};
  return HandOut(*log, now, most);
}

std::optional<Log> PartitionQueue::TakeTurn(bool idle, PollTime now) const {
  const auto view = [](const LogQueue& log) { return LogTurns::View{log.queued(), log.next()}; };
  switch (turns_.Next(view(stream_), view(requests_), now)) {
    case LogTurns::Turn::kNone:
      return {};
    case LogTurns::Turn::kStream:
      return Log::kStream;
    case LogTurns::Turn::kRequests:
      return Log::kRequests;
    case LogTurns::Turn::kIdleRequests:
      return idle ? std::optional(Log::kRequests) : std::nullopt;
  }
  return {};
}

/// Requests wait for the batch in flight, and have batches of their own size.
LogQueue::Most PartitionQueue::MostOf(Log which, const LogQueue::Most& most) const {
  if (which == Log::kRequests || requests_.queued()) return {};
  return {pace_.records(most.records), most.bytes};
}

PartitionQueue::RawBatch PartitionQueue::HandOut(Log which, PollTime now, const LogQueue::Most& most) {
  RawBatch batch{assignment_, log(which).Take(MostOf(which, most)), joiner_, which};
  in_hand_ = which;
  handed_out_ = now;
  if (which == Log::kRequests) return batch;
  batch.old_below = aged_.OldBelow(now);
  tracker_.HandedOut(batch.messages->next_offset());
  in_hand_records_ = batch.messages->size();
  in_hand_time_ = Known(batch.messages->at(0).message_time);
  in_hand_last_time_ = Known(batch.messages->at(batch.messages->size() - 1).message_time);
  return batch;
}

bool PartitionQueue::BeginRequests(RequestPosition start) {
  if (state_ != State::kOpeningInHand) return false;
  requests_start_ = start;
  return true;
}

bool PartitionQueue::Begin(int64_t offset, PollTime now) {
  if (state_ != State::kOpeningInHand) return false;
  if (opening_.committed) witnesses_[0] = now;
  if (opening_.requests && opening_.requests->committed) witnesses_[1] = now;
  state_ = State::kStarted;
  committed_ = offset;
  tracker_ = OffsetTracker(offset);
  stream_.Begin(offset, opening_.log_end);
  aged_.Note(now, opening_.log_end);
  if (!requests_start_) return true;
  requests_.Begin(requests_start_->done, opening_.requests->log_end, requests_start_->noted);
  turns_ = LogTurns(requests_start_->noted, opening_.log_end);
  return true;
}

bool PartitionQueue::Done(Log which, int64_t next_offset, PollTime now) {
  if (in_hand_ != which) return false;
  in_hand_.reset();
  log(which).Done();
  if (which == Log::kRequests) {
    turns_.RequestsDone(handed_out_, now);
    return true;
  }
  pace_.Note(in_hand_records_, now - handed_out_);
  held_from_ = joiner_->first_held_offset();
  held_parts_bytes_ = joiner_->bytes();
  if (assignment_->Owned()) {
    tracker_.Done(next_offset);
    if (in_hand_last_time_) applied_time_ = in_hand_last_time_;
  }
  in_hand_time_.reset();
  PassEnd();
  return true;
}

void PartitionQueue::Open(Opening opening, std::shared_ptr<KafkaAssignment> assignment) {
  if (state_ != State::kUnopened) return;
  assignment_ = std::move(assignment);
  opening_ = std::move(opening);
  state_ = State::kOpening;
}

void PartitionQueue::Fence() {
  if (assignment_ != nullptr) assignment_->Fence();
  PartitionQueue unopened;
  for (const Log which : {Log::kStream, Log::kRequests}) {
    log(which).Reset();
    unopened.log(which) = std::move(log(which));
  }
  *this = std::move(unopened);
}

LogQueue::Offered PartitionQueue::Offer(Log which, const FetchedMessage& message, const LogQueue::Limits& limits) {
  LogQueue::Offered offered = log(which).Offer(message, limits);
  offered.ready = offered.ready && !batch_in_hand();
  return offered;
}

LogQueue::Offered PartitionQueue::ReadToEnd(Log which, int64_t offset) {
  const LogQueue::Offered offered = log(which).ReadToEnd(offset);
  if (which == Log::kStream) PassEnd();
  return offered;
}

void PartitionQueue::PassEnd() {
  if (!stream_.queued()) tracker_.NothingBefore(stream_.read_to());
}

bool PartitionQueue::Committed(Log which, int64_t offset, PollTime now) {
  if (assignment_ == nullptr || !begun()) return false;
  const bool requests = which == Log::kRequests;
  const bool first = requests ? !witnesses_[1] : !assignment_->has_committed();
  witnesses_[requests] = now;
  if (!requests) committed_ = std::max(committed_, offset);
  if (!requests) assignment_->NoteCommit();
  if (first) commit_to_tell_[requests] = true;
  return first;
}

std::optional<int64_t> PartitionQueue::Witness(Log which, PollTime now) const {
  if (!begun() || !assignment_->Owned() || !log(which).begun()) return {};
  const std::optional<PollTime>& last = witnesses_[which == Log::kRequests];
  if (last && now - *last < kWitnessAge) return {};
  return which == Log::kStream ? committed_ : log(which).next();
}

bool PartitionQueue::AtEnd() const {
  const bool stream = stream_.reading() && !stream_.queued() && stream_.read_to() >= opening_.log_end;
  const bool requests = !requests_start_ || (requests_.reading() && !requests_.queued() &&
                                             requests_.read_to() >= opening_.requests->log_end);
  return stream && requests && !batch_in_hand();
}

int64_t PartitionQueue::requests_left() const {
  return requests_.begun() ? std::max<int64_t>(0, requests_.log_end() - requests_.next()) : 0;
}

void PartitionQueue::NoteEnd(int64_t end, PollTime then, int64_t wall_millis) {
  if (!begun()) return;
  stream_.NoteEnd(end);
  aged_.Note(then, end);
  end_told_at_ = wall_millis;
}

PartitionState PartitionQueue::state() {
  PartitionState state;
  state.partition = assignment_->partition();
  state.applied = std::min(tracker_.committable(), held_from_.value_or(tracker_.committable()));
  if (committed_ > 0 || assignment_->has_committed()) state.committed = committed_;
  state.log_end = std::max(stream_.log_end(), state.applied);
  state.end_told = end_told_at_;
  state.full = stream_.paused();
  const bool at_end = state.applied >= state.log_end;
  if (!at_end) state.oldest_time = in_hand_time_ ? in_hand_time_ : Known(stream_.next_time().value_or(0));
  state.applied_time = applied_time_;
  std::optional<int64_t> fresh = at_end ? end_told_at_ : applied_time_;
  if (state.oldest_time) fresh = *state.oldest_time - 1;
  if (fresh) fresh_until_ = std::max(fresh_until_.value_or(*fresh), *fresh);
  state.fresh_until = fresh_until_;
  return state;
}

std::optional<int64_t> PartitionQueue::committable() const {
  const int64_t offset = std::min(tracker_.committable(), held_from_.value_or(tracker_.committable()));
  const bool any = begun() && assignment_->Owned() && offset > committed_;
  return any ? std::optional(offset) : std::nullopt;
}

}  // namespace fensi::consumer
