#include "indexer/reread_schedule.h"

#include <algorithm>

namespace fensi::indexer {

void ReceivedChanges::Forget() {
  highest_.clear();
  former_.clear();
  begun_ = clock_->MonotonicNow();
  proves_from_ = begun_ + kVisibilityDelay;
}

void ReceivedChanges::Age() {
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  if (now - begun_ < kLongestWait) return;
  former_.clear();
  if (now - begun_ < 2 * kLongestWait) std::swap(former_, highest_);
  highest_.clear();
  begun_ = now;
}

void ReceivedChanges::Note(const consumer::Batch& batch, std::string_view source_table) {
  Age();
  const std::string* last = nullptr;
  uint64_t* highest = nullptr;
  any_young_ = false;
  for (const consumer::Record& record : batch.records) {
    const ChangeEvent& event = record.event;
    if (!record.decoded.ok() || event.table != source_table) continue;
    any_young_ = any_young_ || !record.old;
    if (event.sequence_id == 0 || event.region.empty()) {
      // No number tells whether this change is visible, nor of the other changes of its row.
      proves_from_ = clock_->MonotonicNow() + kVisibilityDelay;
      continue;
    }
    if (last == nullptr || event.region != *last) {
      last = &event.region;
      highest = &highest_.try_emplace(event.region).first->second;
    }
    *highest = std::max(*highest, event.sequence_id);
  }
  if (highest_.size() > kMostRegions) Forget();
}

ReceivedChanges::Shown ReceivedChanges::Judge(const ReadPointPtr& point, const consumer::Record& record) const {
  if (record.old) return Shown::kAll;
  if (point == nullptr || clock_->MonotonicNow() < proves_from_) return Shown::kUnknown;
  if (record.event.region != point->region) return Shown::kUnknown;
  uint64_t highest = 0;
  for (const Numbers* numbers : {&highest_, &former_}) {
    const auto known = numbers->find(point->region);
    if (known != numbers->end()) highest = std::max(highest, known->second);
  }
  if (highest == 0) return Shown::kUnknown;
  return point->number >= highest ? Shown::kAll : Shown::kNotYet;
}

RereadSchedule::RereadSchedule(Clock* clock)
    : clock_(clock), changes_(clock), all_shown_(clock->MonotonicNow() + kVisibilityDelay) {}

void RereadSchedule::Begin(const consumer::Batch& batch, Log log, std::string_view source_table) {
  log_ = log;
  // M8: the re-read of this batch counts from its receipt.
  received_ = clock_->MonotonicNow();
  due_ = received_ + kVisibilityDelay;
  patient_ = true;
  if (log == Log::kRequests) return;
  changes_.Note(batch, source_table);
  if (changes_.any_young()) all_shown_ = due_;
}

bool RereadSchedule::NeedsNextRound(const ReadPointPtr& point, const consumer::Record& record) const {
  return Judge(point, record) == Shown::kNotYet && clock_->MonotonicNow() - received_ < kLongestWait;
}

Status RereadSchedule::AwaitShown(const std::function<std::vector<size_t>()>& late,
                                  const std::function<Status(const std::vector<size_t>&)>& read_again) {
  constexpr std::chrono::milliseconds kFirstPause{1}, kLastPause{32};
  for (std::chrono::milliseconds pause = kFirstPause; patient_; pause *= 2) {
    const std::vector<size_t> places = late();
    if (places.empty()) return {};
    patient_ = pause <= kLastPause;
    if (!patient_) return {};
    clock_->Sleep(pause);
    FENSI_RETURN_IF_ERROR(read_again(places));
  }
  return {};
}

}  // namespace fensi::indexer
