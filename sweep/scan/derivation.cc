#include "sweep/scan/derivation.h"

#include <algorithm>
#include <span>

#include "base/hbase_limits.h"
#include "mapping/instant.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {
namespace {

using mapping::StateScope;

size_t Bytes(std::span<const mapping::VisibleCell> cells) {
  constexpr size_t kAroundCell = 32;
  size_t bytes = 0;
  for (const mapping::VisibleCell& cell : cells) {
    bytes += kAroundCell + cell.family.size() + cell.qualifier.size() + cell.value.size();
  }
  return bytes;
}

}  // namespace

Status Derivation::Derive(const store::Row& row, const Use& use) {
  cells_.clear();
  for (const Cell& cell : row.cells) {
    if (!index_->Watches(cell.family, cell.qualifier)) continue;
    cells_.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  }
  unit_ = {row.row, {}};
  const auto taken = [](const mapping::VisibleCell& cell) { return cell.timestamp <= kMaxSourceTime; };
  if (index_->state_scope() == StateScope::kRow) {
    const auto end = std::stable_partition(cells_.begin(), cells_.end(), taken);
    return DeriveUnit(row, {{cells_.begin(), end}, {end, cells_.end()}}, use);
  }
  for (const mapping::VisibleCell& cell : cells_) {
    unit_.column = {std::string(cell.family), std::string(cell.qualifier)};
    const std::span<const mapping::VisibleCell> alone(&cell, 1);
    FENSI_RETURN_IF_ERROR(DeriveUnit(row, taken(cell) ? Seen{alone, {}} : Seen{{}, alone}, use));
  }
  return Status();
}

Status Derivation::DeriveUnit(const store::Row& row, const Seen& seen, const Use& use) {
  const std::span<const mapping::VisibleCell> cells = seen.cells;
  entries_.Clear();
  problems_.clear();
  const size_t bytes = Bytes(cells);
  int64_t newest = INT64_MIN;
  for (const mapping::VisibleCell& cell : cells) newest = std::max(newest, cell.timestamp);
  if (bytes > kMostUnitBytes) {
    problems_.push_back({"the cells that the mapping reads have more than " + std::to_string(kMostUnitBytes) +
                         " bytes together, and an index may keep only a part of them"});
  } else {
    index_->Derive({row.row, cells}, &entries_, &problems_);
  }
  for (const mapping::VisibleCell& cell : seen.too_new) {
    problems_.push_back(mapping::TooNew(cell.family, cell.qualifier, cell.timestamp));
  }
  return use({&unit_, &entries_, &problems_, newest, bytes > kMostUnitBytes});
}

bool Derivation::DeriveAll(const store::Row& row, mapping::EntryList* entries) {
  bool whole = true;
  const auto add = [&](const Derived& derived) {
    whole &= !derived.too_large;
    for (size_t i = 0; i < derived.entries->size(); ++i) entries->Add((*derived.entries)[i]);
    return Status();
  };
  return Derive(row, add).ok() && whole;
}

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
  const std::string newest = newest_put < 0
                                 ? "no daemon of the index has put the entry"
                                 : "no daemon of the index has put the entry after " + std::to_string(newest_put);
  return "too new: its time is " + std::to_string(timestamp) + ", and " + newest +
         ". The entry hides later changes of its source row, and stays when the row is deleted";
}

}  // namespace fensi::sweep
