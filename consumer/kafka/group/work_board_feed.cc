// The poll thread's side of the board.
#include <algorithm>
#include <utility>

#include "consumer/kafka/group/work_board.h"

namespace fensi::consumer {

void WorkBoard::Assign(std::vector<int32_t> partitions) {
  const std::lock_guard lock(mu_);
  lanes_.clear();
  for (const int32_t partition : partitions) lanes_[partition];
  assigned_ = true;
  draining_ = false;
  changed_.notify_all();
}

std::vector<int32_t> WorkBoard::Unopened() const {
  const std::lock_guard lock(mu_);
  std::vector<int32_t> partitions;
  for (const auto& [partition, lane] : lanes_) {
    if (lane.state == State::kUnopened) partitions.push_back(partition);
  }
  return partitions;
}

void WorkBoard::Open(std::shared_ptr<KafkaAssignment> assignment, std::optional<int64_t> committed, int64_t log_start,
                     int64_t log_end) {
  const std::lock_guard lock(mu_);
  const auto found = lanes_.find(assignment->partition());
  if (found == lanes_.end() || found->second.state != State::kUnopened) return;
  Lane& lane = found->second;
  lane.assignment = assignment;
  lane.opening = Opening{std::move(assignment), committed, log_start, log_end};
  lane.log_end = log_end;
  lane.state = State::kOpening;
  changed_.notify_all();
}

bool WorkBoard::Drain(std::chrono::milliseconds patience) {
  std::unique_lock lock(mu_);
  draining_ = true;
  return changed_.wait_for(lock, patience, [this] {
    return std::none_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane.second.in_hand; });
  });
}

void WorkBoard::FenceAll(bool keep) {
  const std::lock_guard lock(mu_);
  for (auto& [partition, lane] : lanes_) {
    if (lane.assignment != nullptr) lane.assignment->Fence();
    const bool paused = lane.paused;
    lane = Lane();
    lane.paused = paused;
  }
  if (!keep) {
    lanes_.clear();
    assigned_ = false;
  }
  draining_ = false;
  changed_.notify_all();
}

void WorkBoard::Finish(Status status) {
  const std::lock_guard lock(mu_);
  if (!end_ || end_->ok()) end_ = std::move(status);
  changed_.notify_all();
}

std::vector<WorkBoard::Offset> WorkBoard::Seeks() const {
  const std::lock_guard lock(mu_);
  std::vector<Offset> seeks;
  for (const auto& [partition, lane] : lanes_) {
    if (lane.state == State::kSeeking) seeks.push_back({partition, lane.expected});
  }
  return seeks;
}

void WorkBoard::Reading(int32_t partition) {
  const std::lock_guard lock(mu_);
  const auto lane = lanes_.find(partition);
  if (lane == lanes_.end() || !lane->second.begun()) return;
  lane->second.state = State::kReading;
  lane->second.fresh = true;
  changed_.notify_all();
}

bool WorkBoard::Offer(int32_t partition, const MessageChunk::Message& message) {
  const std::lock_guard lock(mu_);
  const auto found = lanes_.find(partition);
  if (found == lanes_.end() || found->second.state != State::kReading) return true;
  Lane& lane = found->second;
  if (message.offset < lane.expected) return true;  // read again after a resume
  if (message.offset > lane.expected) {
    if (!BelieveHole(&lane, message.offset, /*is_end=*/false)) return false;
    hole_ = true;
  }
  const size_t cost = MessageChunk::Cost(message);
  const size_t chunk_limit = std::min(options_.max_batch_bytes, LaneLimit() / 2);
  const bool fits = !lane.queue.empty() && lane.queue.back()->size() < options_.max_batch_records &&
                    lane.queue.back()->cost() + cost <= chunk_limit;
  if (!fits) lane.queue.push_back(std::make_shared<MessageChunk>());
  lane.queue.back()->Append(message);
  lane.expected = message.offset + 1;
  lane.fresh = false;
  lane.log_end = std::max(lane.log_end, lane.expected);
  lane.held += cost;
  if (!lane.in_hand && lane.queue.size() == 1 && lane.queue.back()->size() == 1) changed_.notify_all();
  return lane.held < LaneLimit();
}

void WorkBoard::LogEnds(int32_t partition, int64_t offset) {
  const std::lock_guard lock(mu_);
  const auto found = lanes_.find(partition);
  if (found == lanes_.end()) return;
  Lane& lane = found->second;
  lane.log_end = std::max(lane.log_end, offset);
  changed_.notify_all();
}

bool WorkBoard::ReadToEnd(int32_t partition, int64_t offset) {
  const std::lock_guard lock(mu_);
  const auto found = lanes_.find(partition);
  if (found == lanes_.end() || found->second.state != State::kReading) return true;
  Lane& lane = found->second;
  if (offset > lane.expected && !BelieveHole(&lane, offset, /*is_end=*/true)) return false;
  lane.read_to = std::max(lane.read_to, offset);
  lane.fresh = false;
  changed_.notify_all();
  return true;
}

/// Believed is what comes three times: the lowest message that was seen, or nothing before the end of the log.
bool WorkBoard::BelieveHole(Lane* lane, int64_t next, bool is_end) {
  constexpr int kSightings = 3;
  if (!lane->fresh) return true;
  Hole& hole = lane->hole;
  if (hole.from != lane->expected || next < hole.next) {
    hole = {lane->expected, next, is_end, 1};
  } else if (next == hole.next || hole.is_end) {
    ++hole.sightings;
  }
  if (hole.sightings == kSightings) {
    hole = Hole();
    return true;
  }
  lane->state = State::kSeeking;
  return false;
}

bool WorkBoard::TakeHole() {
  const std::lock_guard lock(mu_);
  return std::exchange(hole_, false);
}

std::optional<int64_t> WorkBoard::Position(int32_t partition) const {
  const std::lock_guard lock(mu_);
  const auto lane = lanes_.find(partition);
  if (lane == lanes_.end() || lane->second.state != State::kReading) return std::nullopt;
  return lane->second.expected;
}

std::vector<WorkBoard::Offset> WorkBoard::Wanted() const {
  const std::lock_guard lock(mu_);
  std::vector<Offset> wanted;
  for (const auto& [partition, lane] : lanes_) {
    if (lane.begun()) wanted.push_back({partition, lane.expected});
  }
  return wanted;
}

bool WorkBoard::AnyToBegin() const {
  const std::lock_guard lock(mu_);
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return !lane.second.begun(); });
}

WorkBoard::Flow WorkBoard::TakeFlow() {
  const std::lock_guard lock(mu_);
  Flow flow;
  for (auto& [partition, lane] : lanes_) {
    // Far apart, because a pause throws away what the client has fetched ahead.
    if (!lane.paused && lane.held >= LaneLimit()) {
      lane.paused = true;
      flow.pause.push_back(partition);
    } else if (lane.paused && lane.held < LaneLimit() / 2) {
      lane.paused = false;
      // Where the client goes on is not left to it.
      if (lane.state == State::kReading) lane.state = State::kSeeking;
      flow.resume.push_back(partition);
    }
  }
  return flow;
}

std::vector<WorkBoard::Offset> WorkBoard::Committable() const {
  const std::lock_guard lock(mu_);
  std::vector<Offset> offsets;
  for (const auto& [partition, lane] : lanes_) {
    if (lane.begun() && lane.assignment->Owned() && lane.committable() > lane.committed) {
      offsets.push_back({partition, lane.committable()});
    }
  }
  return offsets;
}

void WorkBoard::Committed(const std::vector<Offset>& offsets) {
  const std::lock_guard lock(mu_);
  for (const Offset& each : offsets) {
    const auto lane = lanes_.find(each.partition);
    if (lane == lanes_.end() || lane->second.assignment == nullptr || each.offset <= lane->second.committed) continue;
    lane->second.committed = each.offset;
    if (lane->second.assignment->has_committed()) continue;
    lane->second.assignment->NoteCommit();
    lane->second.commit_to_tell = true;
    changed_.notify_all();
  }
}

}  // namespace fensi::consumer
