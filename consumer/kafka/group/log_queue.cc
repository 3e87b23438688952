#include "consumer/kafka/group/log_queue.h"

#include <utility>

namespace fensi::consumer {

void LogQueue::Begin(int64_t offset, int64_t log_end, int64_t border) {
  state_ = State::kSeeking;
  expected_ = offset;
  log_end_ = log_end;
  border_ = border;
}

void LogQueue::Reset() {
  const bool paused = paused_;
  *this = LogQueue();
  paused_ = paused;
}

void LogQueue::Reading() {
  if (!begun()) return;
  state_ = State::kReading;
  fresh_ = true;
}

LogQueue::Offered LogQueue::Offer(const FetchedMessage& message, const Limits& limits) {
  Offered offered;
  if (!reading() || message.offset < expected_) return offered;  // nobody waits for it, or it is read again
  if (message.offset > expected_) {
    if (!ConfirmHole(message.offset, /*is_end=*/false, &offered)) return offered;
    offered.hole = true;
  }
  if (!Fits(message, limits)) chunks_.push_back(std::make_shared<MessageChunk>());
  chunks_.back()->Append(message);
  expected_ = message.offset + 1;
  fresh_ = false;
  trouble_.clear();
  log_end_ = std::max(log_end_, expected_);
  held_ += MessageChunk::Cost(message);
  offered.ready = chunks_.size() == 1 && chunks_.back()->size() == 1;
  offered.go_on = held_ < limits.bytes;
  return offered;
}

/// Whether the last chunk takes it.
bool LogQueue::Fits(const FetchedMessage& message, const Limits& limits) const {
  if (chunks_.empty()) return false;
  const MessageChunk& last = *chunks_.back();
  // M12: a batch ends where the recorded requests end.
  const bool across = last.at(0).offset < border_ && message.offset >= border_;
  return !across && last.size() < limits.chunk_records &&
         last.cost() + MessageChunk::Cost(message) <= limits.chunk_bytes;
}

LogQueue::Offered LogQueue::ReadToEnd(int64_t offset) {
  Offered offered;
  if (!reading()) return offered;
  if (offset > expected_ && !ConfirmHole(offset, /*is_end=*/true, &offered)) return offered;
  read_to_ = std::max(read_to_, offset);
  fresh_ = false;
  trouble_.clear();
  offered.ready = true;
  return offered;
}

/// Accepts what arrives three times: the lowest message that was seen, or nothing before the end of the log.
bool LogQueue::ConfirmHole(int64_t next, bool is_end, Offered* offered) {
  constexpr int kSightings = 3;
  constexpr int kMisses = 10;
  if (!fresh_) return true;
  if (hole_.from != expected_ || next < hole_.next) {
    hole_ = {.from = expected_, .next = next, .is_end = is_end, .sightings = 1};
  } else if (next == hole_.next || hole_.is_end) {
    ++hole_.sightings;
    hole_.misses = 0;
  } else if (++hole_.misses == kMisses) {
    offered->lost = hole_.next;
  }
  if (hole_.sightings == kSightings) {
    hole_ = Hole();
    return true;
  }
  state_ = State::kSeeking;
  offered->go_on = false;
  return false;
}

LogQueue::Flow LogQueue::TakeFlow(size_t limit) {
  if (!paused_ && begun() && held_ >= limit) {
    paused_ = true;
    return Flow::kPause;
  }
  if (!paused_ || held_ >= limit / 2) return Flow::kAsItIs;
  paused_ = false;
  // Where the client goes on is not left to it.
  if (state_ == State::kReading) state_ = State::kSeeking;
  return Flow::kResume;
}

size_t LogQueue::ChunksWithin(const Most& most) const {
  size_t count = 0, records = 0, bytes = 0;
  for (const auto& chunk : chunks_) {
    records += chunk->size();
    bytes += chunk->cost();
    if (records > most.records || bytes > most.bytes) return std::max<size_t>(1, count);
    ++count;
  }
  return 1;  // no more than that is queued
}

std::shared_ptr<MessageChunk> LogQueue::Take(const Most& most) {
  const size_t count = ChunksWithin(most);
  std::shared_ptr<MessageChunk> batch = std::move(chunks_.front());
  chunks_.pop_front();
  for (size_t taken = 1; taken < count; ++taken) {
    batch->Append(*chunks_.front());
    chunks_.pop_front();
  }
  return batch;
}

void LogQueue::Done() {
  held_ = 0;
  for (const auto& chunk : chunks_) held_ += chunk->cost();
}

}  // namespace fensi::consumer
