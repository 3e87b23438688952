#include "sweep/entry_times.h"

#include "sweep/index_cell.h"
#include "sweep/origin.h"

namespace fensi::sweep {

bool EntryTimes::MayBeTooNew(const SourceUnit& unit, const mapping::Entry& entry, int64_t timestamp,
                             int64_t newest_source) const {
  if (!newest_put_ || timestamp <= newest_source) return false;
  // Other source rows put the same cell, at their own times.
  return !index_->shared() && (!index_->unique() || IsOwnCell(*index_, entry, unit));
}

Result<std::vector<int64_t>> EntryTimes::NewestPuts(std::span<const SourceUnit> units) const {
  if (!newest_put_ || units.empty()) return std::vector<int64_t>(units.size(), INT64_MAX);
  return newest_put_(units);
}

std::string TooNewText(int64_t timestamp, int64_t newest_put) {
  const std::string newest = newest_put < 0 ? "no owner of the index has put it"
                                            : "no owner of the index has put it after " + std::to_string(newest_put);
  return "too new: its time is " + std::to_string(timestamp) + ", and " + newest +
         ". It hides later changes of its source row, and stays when the row is deleted";
}

}  // namespace fensi::sweep
