#include "indexer/mirror/floors.h"

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "indexer/state/layout.h"
#include "meta/versioned_meta_row.h"

namespace fensi::indexer {
namespace {

constexpr size_t kFirstSlots = 64;
/// 0 is a free slot.
uint64_t Taken(uint64_t name) { return name == 0 ? 1 : name; }

}  // namespace

FloorTable::FloorTable(size_t most_bytes) : most_used_(std::max<size_t>(1, most_bytes / (4 * sizeof(Slot)))) {}

FloorTable::Slot* FloorTable::SlotOf(uint64_t name, std::vector<Slot>* slots) {
  const size_t mask = slots->size() - 1;
  size_t i = name & mask;
  while ((*slots)[i].name != 0 && (*slots)[i].name != name) i = (i + 1) & mask;
  return &(*slots)[i];
}

int64_t FloorTable::FindIn(uint64_t name, const Generation& generation) {
  if (generation.used == 0) return kNone;
  const size_t mask = generation.slots.size() - 1;
  for (size_t i = name & mask; generation.slots[i].name != 0; i = (i + 1) & mask) {
    if (generation.slots[i].name == name) return generation.slots[i].number;
  }
  return kNone;
}

int64_t FloorTable::Find(uint64_t name) const {
  name = Taken(name);
  return std::max({common_, FindIn(name, young_), FindIn(name, old_)});
}

bool FloorTable::Raise(uint64_t name, int64_t to) {
  if (2 * (young_.used + 1) > young_.slots.size()) Grow();
  Slot* slot = SlotOf(Taken(name), &young_.slots);
  if (slot->name == 0) {
    slot->name = Taken(name);
    ++young_.used;
  }
  if (slot->number >= to) return false;
  slot->number = to;
  young_.highest = std::max(young_.highest, to);
  return true;
}

void FloorTable::Grow() {
  std::vector<Slot> grown(std::max(kFirstSlots, 2 * young_.slots.size()));
  for (const Slot& slot : young_.slots) {
    if (slot.name != 0) *SlotOf(slot.name, &grown) = slot;
  }
  young_.slots = std::move(grown);
}

void FloorTable::Evict() {
  if (young_.used < most_used_) return;
  // H10: evicted floors become one floor for all, which only means more questions.
  RaiseAll(old_.highest);
  old_ = std::exchange(young_, {});
}

namespace {

Cell NumberCell(std::string qualifier, int64_t number) {
  return meta::VersionedMetaRow::CellOf(std::move(qualifier), number, std::to_string(number));
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
  // H14: a client's timestamp far ahead of the clock must not make every later event a question.
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
  // H3: a delete is in order if no higher sequence id of its region was received before.
  return sequence_id == 0 || sequence_id > kMaxTimestamp || told_.Find(region) < static_cast<int64_t>(sequence_id);
}

void Floors::Tell(uint64_t region, uint64_t sequence_id) {
  if (sequence_id == 0 || sequence_id > kMaxTimestamp) return;
  const auto told = static_cast<int64_t>(sequence_id);
  // H9: to be stored before the offset moves.
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

/// A far floor that is no longer far becomes common, and so does one for which there is no room.
void Floors::LearnFar(uint64_t cell, int64_t floor, int64_t now) {
  if (floor <= now + kFarMillis || (far_.size() >= kMostFar && !far_.contains(cell))) return floors_.RaiseAll(floor);
  // H9: a far floor of another topic counts, too: both topics may have the same row.
  int64_t& known = far_[cell];
  known = std::max(known, floor);
}

std::vector<Cell> Floors::TakePassed() { return std::exchange(passed_, {}); }

void Floors::Evict() {
  floors_.Evict();
  told_.Evict();
}

FloorStore::FloorStore(const mapping::Index* index, store::Store* store, Clock* clock,
                       const consumer::Assignment& assignment)
    : index_(index),
      store_(store),
      clock_(clock),
      topic_(std::string(kFloorRows) + assignment.topic() + "/"),
      row_(store, index->state_table(), topic_ + std::to_string(assignment.partition()), clock) {}

Status FloorStore::Load(Floors* floors) {
  FENSI_RETURN_IF_ERROR(LoadOtherTopics(floors));
  FENSI_ASSIGN_OR_RETURN(const meta::VersionedMetaRow::Cells cells, row_.ReadAll());
  const int64_t now = clock_->WallMillis();
  for (const auto& [qualifier, cell] : cells) floors->Learn(cell, now);
  return {};
}

Status FloorStore::LoadOtherTopics(Floors* floors) {
  store::ScanRequest request{.start_row = std::string(kFloorRows), .stop_row = PrefixEnd(kFloorRows)};
  request.columns.push_back({kIndexFamily});
  const int64_t now = clock_->WallMillis();
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store_->Scan(index_->state_table(), request));
    for (const store::Row& row : page) {
      const bool other = !row.row.starts_with(topic_) || row.row.find('/', topic_.size()) != std::string::npos;
      if (!other) continue;
      // H9: the rows of other topics may be the same.
      for (const Cell& cell : row.cells) floors->LearnOfOthers(cell, now);
    }
    if (!store::ToNextPage(page, &request)) return {};
  }
}

Status FloorStore::Save(Floors* floors) {
  std::vector<Cell> changed = floors->TakeChanges();
  if (changed.empty()) return {};
  FENSI_RETURN_IF_ERROR(row_.Write(std::move(changed)));
  meta::VersionedMetaRow::Cells passed;
  for (Cell& cell : floors->TakePassed()) {
    const std::string qualifier = cell.qualifier;
    passed.emplace(qualifier, std::move(cell));
  }
  return row_.Forget(passed);
}

}  // namespace fensi::indexer
