#include "consumer/kafka/group/work_board.h"

#include <algorithm>
#include <utility>

namespace fensi::consumer {

WorkBoard::Taken WorkBoard::Take() {
  std::unique_lock lock(mu_);
  for (;;) {
    if (end_) return End{*end_};
    if (stopped_) return End{};
    if (!draining_ && !(options_.one_in_hand && AnyInHand())) {
      // Round robin from behind the lane that was served last.
      auto lane = lanes_.upper_bound(last_taken_);
      for (size_t tried = 0; tried < lanes_.size(); ++tried, ++lane) {
        if (lane == lanes_.end()) lane = lanes_.begin();
        std::optional<Taken> taken = TakeFrom(&lane->second);
        if (!taken) continue;
        last_taken_ = lane->first;
        return std::move(*taken);
      }
    }
    if (AllAtEnd()) {
      end_ = Status();
      changed_.notify_all();
      continue;
    }
    changed_.wait(lock);
  }
}

std::optional<WorkBoard::Taken> WorkBoard::TakeFrom(Lane* lane) {
  if (lane->state == State::kOpening && lane->assignment->Owned()) {
    lane->state = State::kOpeningInHand;
    return lane->opening;
  }
  if (std::exchange(lane->commit_to_tell, false)) return consumer::Committed{lane->assignment};
  if (!lane->begun() || lane->in_hand || lane->queue.empty() || !lane->assignment->Owned()) return {};
  lane->in_hand = true;
  RawBatch batch{lane->assignment, std::move(lane->queue.front()), lane->joiner};
  lane->queue.pop_front();
  lane->tracker.HandedOut(batch.messages->next_offset());
  return batch;
}

Status WorkBoard::Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) {
  const std::lock_guard lock(mu_);
  Lane* lane = Find(assignment);
  if (lane == nullptr || lane->state != State::kOpeningInHand) {
    return Status(StatusCode::kFenced, "topic " + assignment->topic() + " partition " +
                                           std::to_string(assignment->partition()) + " is no longer ours");
  }
  lane->state = State::kSeeking;
  lane->expected = offset;
  lane->committed = offset;
  lane->tracker = OffsetTracker(offset);
  changed_.notify_all();
  return {};
}

bool WorkBoard::Done(const std::shared_ptr<Assignment>& assignment, int64_t next_offset, size_t records) {
  const std::lock_guard lock(mu_);
  Lane* lane = Find(assignment);
  if (lane == nullptr || !lane->in_hand) return false;
  lane->in_hand = false;
  lane->held = 0;
  for (const auto& chunk : lane->queue) lane->held += chunk->cost();
  lane->hold = lane->joiner->hold_from();
  lane->held_parts_bytes = lane->joiner->bytes();
  if (lane->assignment->Owned()) lane->tracker.Done(next_offset);
  records_done_ += static_cast<int64_t>(records);
  changed_.notify_all();
  return lane->paused && lane->held < LaneLimit() / 2;
}

void WorkBoard::Abandon(const std::shared_ptr<Assignment>& assignment) {
  const std::lock_guard lock(mu_);
  Lane* lane = Find(assignment);
  if (lane == nullptr) return;
  lane->assignment->Fence();
  const bool paused = lane->paused;
  *lane = Lane();
  lane->paused = paused;
  changed_.notify_all();
}

void WorkBoard::Stop() {
  const std::lock_guard lock(mu_);
  stopped_ = true;
  changed_.notify_all();
}

WorkBoard::Lane* WorkBoard::Find(const std::shared_ptr<Assignment>& assignment) {
  const auto lane = lanes_.find(assignment->partition());
  return lane != lanes_.end() && lane->second.assignment == assignment ? &lane->second : nullptr;
}

size_t WorkBoard::LaneLimit() const { return options_.max_queued_bytes / std::max<size_t>(1, lanes_.size()); }

bool WorkBoard::AllAtEnd() const {
  if (!options_.until_end || !assigned_ || draining_) return false;
  return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& each) {
    const Lane& lane = each.second;
    return lane.state == State::kReading && lane.queue.empty() && !lane.in_hand &&
           std::max(lane.expected, lane.read_to) >= lane.opening.log_end;
  });
}

bool WorkBoard::AnyInHand() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) {
    return lane.second.in_hand || lane.second.state == State::kOpeningInHand;
  });
}

ChangeSource::Progress WorkBoard::progress() const {
  const std::lock_guard lock(mu_);
  ChangeSource::Progress progress;
  progress.records = records_done_;
  progress.partitions = static_cast<int32_t>(lanes_.size());
  int64_t left = 0;
  bool known = assigned_;
  for (const auto& [partition, lane] : lanes_) {
    known = known && lane.begun();
    left += std::max<int64_t>(0, lane.log_end - lane.tracker.committable());
    if (!lane.hold) continue;
    progress.trouble += (progress.trouble.empty() ? "" : "; ") + std::string("partition ") + std::to_string(partition) +
                        " waits from offset " + std::to_string(*lane.hold) + " on for parts of a mutation, of which " +
                        std::to_string(lane.held_parts_bytes >> 20) + " MiB have come";
  }
  if (known) progress.records_left = left;
  return progress;
}

size_t WorkBoard::held_bytes() const {
  const std::lock_guard lock(mu_);
  size_t bytes = 0;
  for (const auto& [partition, lane] : lanes_) bytes += lane.held + lane.held_parts_bytes;
  return bytes;
}

}  // namespace fensi::consumer
