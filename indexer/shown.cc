#include "indexer/shown.h"

#include <algorithm>

#include "base/quoted.h"
#include "indexer/mirror/floors.h"

namespace fensi::indexer {
void ReceivedChanges::Forget() {
  highest_.clear();
  proves_from_ = clock_->MonotonicNow() + kVisibilityDelay;
}

void ReceivedChanges::Note(const consumer::Batch& batch, std::string_view source_table) {
  std::string_view last;
  uint64_t* highest = nullptr;
  any_young_ = false;
  const int64_t now = clock_->WallMillis();
  for (const consumer::Record& record : batch.records) {
    const ChangeEvent& event = record.event;
    if (!record.decoded.ok() || event.table != source_table) continue;
    any_young_ = any_young_ || MayNotBeVisibleYet(record, now);
    if (event.sequence_id == 0 || event.region.empty()) {
      // No number tells whether this change is visible, nor of the other changes of its row.
      proves_from_ = clock_->MonotonicNow() + kVisibilityDelay;
      continue;
    }
    if (highest == nullptr || event.region != last) {
      last = event.region;
      highest = &highest_[Floors::NameOf(last)];
    }
    *highest = std::max(*highest, event.sequence_id);
  }
  if (highest_.size() > kMostRegions) Forget();
}

ReceivedChanges::Shown ReceivedChanges::Judge(const ReadPointPtr& point, const consumer::Record& record) const {
  if (!MayNotBeVisibleYet(record, *clock_)) return Shown::kAll;
  if (point == nullptr || clock_->MonotonicNow() < proves_from_) return Shown::kUnknown;
  if (record.event.region != point->region) return Shown::kUnknown;
  const auto known = highest_.find(Floors::NameOf(point->region));
  if (known == highest_.end()) return Shown::kUnknown;
  return point->number >= known->second ? Shown::kAll : Shown::kNotYet;
}

Status NotShownYet(const std::string& source_table, const consumer::Record& record, const store::ReadPoint& point) {
  return Status(StatusCode::kUnavailable,
                "table " + source_table + ", row " + QuotedBytes(record.event.row) + ": HBase logged change " +
                    std::to_string(record.event.sequence_id) + " of region " + point.region +
                    ", but its readers see the region's changes up to " + std::to_string(point.number) +
                    " only. fensi repeats the read until they see it. If this lasts, look at the region server");
}

}  // namespace fensi::indexer
