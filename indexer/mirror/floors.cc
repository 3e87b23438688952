#include "indexer/mirror/floors.h"

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "meta/shared_row.h"

namespace fensi::indexer {
namespace {

Cell NumberCell(std::string qualifier, int64_t number) {
  return meta::SharedRow::CellOf(std::move(qualifier), number, std::to_string(number));
}

std::string Named(std::string_view prefix, uint64_t name) {
  std::string qualifier(prefix);
  AppendBigEndian64(static_cast<int64_t>(name), &qualifier);
  return qualifier;
}

}  // namespace

uint64_t Floors::NameOf(std::string_view row, std::string_view family, std::string_view qualifier) {
  const uint64_t of_row = XXH3_64bits(row.data(), row.size());
  const uint64_t of_family = XXH3_64bits_withSeed(family.data(), family.size(), of_row);
  return XXH3_64bits_withSeed(qualifier.data(), qualifier.size(), of_family);
}

uint64_t Floors::NameOfFamily(std::string_view row, std::string_view family) {
  constexpr uint64_t kNoColumn = 0xd6e8feb86659fd93;
  return XXH3_64bits_withSeed(family.data(), family.size(), XXH3_64bits(row.data(), row.size()) ^ kNoColumn);
}

uint64_t Floors::NameOf(std::string_view region) { return XXH3_64bits(region.data(), region.size()); }

int64_t Floors::Of(uint64_t cell) const {
  const int64_t floor = floors_.Find(cell);
  if (far_.empty()) return floor;
  const auto found = far_.find(cell);
  return found == far_.end() ? floor : std::max(floor, found->second);
}

void Floors::Raise(uint64_t cell, int64_t to) {
  if (to > far_from_ && (far_.size() < kMostFar || far_.contains(cell))) {
    const auto [place, added] = far_.try_emplace(cell, to);
    if (!added && place->second >= to) return;
    place->second = to;
    far_changed_.push_back(cell);
    return;
  }
  floors_.Raise(cell, to);
  highest_ = std::max(highest_, to);
}

bool Floors::InOrder(uint64_t region, uint64_t sequence_id) const {
  return sequence_id == 0 || sequence_id > kMaxTimestamp || told_.Find(region) < static_cast<int64_t>(sequence_id);
}

void Floors::Tell(uint64_t region, uint64_t sequence_id) {
  if (sequence_id == 0 || sequence_id > kMaxTimestamp) return;
  const auto told = static_cast<int64_t>(sequence_id);
  if (told_.Raise(region, told)) told_changed_[region] = told;
}

std::vector<Cell> Floors::TakeChanges() {
  std::vector<Cell> cells;
  if (highest_ > stored_) cells.push_back(NumberCell(kFloorColumn, highest_));
  stored_ = highest_;
  for (uint64_t cell : far_changed_) cells.push_back(NumberCell(Named(kFarPrefix, cell), far_.at(cell)));
  far_changed_.clear();
  for (const auto& [region, told] : told_changed_) cells.push_back(NumberCell(Named(kToldPrefix, region), told));
  told_changed_.clear();
  return cells;
}

void Floors::Learn(const Cell& cell, int64_t now) {
  LearnOfOthers(cell, now);
  const bool common = cell.qualifier == kFloorColumn;
  const bool passed = cell.qualifier.starts_with(kFarPrefix) && cell.timestamp <= now + kFarMillis;
  if (common) stored_ = std::max(stored_, cell.timestamp);
  if (common || passed) highest_ = std::max(highest_, cell.timestamp);
  if (passed) passed_.push_back(cell);
}

void Floors::LearnOfOthers(const Cell& cell, int64_t now) {
  const std::string_view qualifier = cell.qualifier;
  if (qualifier.starts_with(kToldPrefix)) {
    told_.Raise(ReadBigEndian(qualifier.substr(kToldPrefix.size())), cell.timestamp);
    told_.Evict();
  } else if (qualifier.starts_with(kFarPrefix)) {
    LearnFar(ReadBigEndian(qualifier.substr(kFarPrefix.size())), cell.timestamp, now);
  } else if (qualifier == kFloorColumn) {
    floors_.RaiseAll(cell.timestamp);
  }
}

/// Whose time has come near is one of all, and so is what there is no room for.
void Floors::LearnFar(uint64_t cell, int64_t floor, int64_t now) {
  if (floor <= now + kFarMillis || (far_.size() >= kMostFar && !far_.contains(cell))) return floors_.RaiseAll(floor);
  int64_t& known = far_[cell];
  known = std::max(known, floor);
}

std::vector<Cell> Floors::TakePassed() { return std::exchange(passed_, {}); }

void Floors::Evict() {
  floors_.Evict();
  told_.Evict();
}

}  // namespace fensi::indexer
