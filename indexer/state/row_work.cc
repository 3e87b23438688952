#include "indexer/state/row_work.h"

#include <xxhash.h>

#include <algorithm>
#include <string_view>

namespace fensi::indexer {

uint64_t HashOfCell(const mapping::Entry& entry) {
  uint64_t hash = 0;
  for (const std::string_view part : {entry.table, entry.row, entry.family, entry.qualifier}) {
    hash = XXH3_64bits_withSeed(part.data(), part.size(), hash);
  }
  return hash;
}

size_t EntrySet::Add(const mapping::Entry& entry, int64_t up_to) {
  const uint64_t hash = HashOfCell(entry);
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto same = [&](const auto& known) { return mapping::SameCell(entries_[known.second], entry); };
  if (const auto known = std::find_if(first, last, same); known != last) {
    up_to_[known->second] = std::max(up_to_[known->second], up_to);
    return 0;
  }
  by_hash_.emplace(hash, entries_.size());
  mapping::Entry cell = entry;
  cell.value = {};  // a removal names no value
  entries_.Add(cell);
  up_to_.push_back(up_to);
  const size_t added = 128 + entry.table.size() + entry.row.size() + entry.family.size() + entry.qualifier.size();
  bytes_ += added;
  return added;
}

std::string UnitKey(std::string_view family, std::string_view qualifier) {
  std::string key(family);
  if (!family.empty()) key.append(":").append(qualifier);
  return key;
}

int64_t UnitWork::NewestOfRegisters() const {
  return std::max(unit.NewestOfColumns(), unit.families == nullptr ? kNoTime : unit.families->Newest());
}

void UnitWork::RaiseVersion(int64_t newest, bool repeated) {
  const int64_t looks = unit.doubted ? 1 : 0;  // M4: one version per read, so that versions follow from the log
  const auto next = [&](int64_t version) { return std::max(newest, version + 1) + looks; };
  unit.version = next(unit.version);
  by_log = next(by_log);
  put_up_to = repeated ? next(put_up_to) : by_log;
  unit.reserved = false;
  dirty = true;
}

void UnitWork::NoteLoaded() {
  NoteLook();
  named = false;
  // M8.4: the finished read wrote up to the unit's version.
  put_at.assign(unit.doubt.snapshots.size(), unit.version);
}

/// M8.4: if a read saw something else than the registers show, entries of the registers are no newer than the
/// registers.
void UnitWork::NoteLook() {
  put_up_to = unit.doubt.active() ? NewestOfRegisters() : unit.version;
  by_log = unit.doubted ? NewestOfRegisters() : unit.version;
}

void UnitWork::AddSeen(Snapshot snapshot, int64_t version) {
  const size_t at = unit.doubt.Add(std::move(snapshot));
  put_at.resize(unit.doubt.snapshots.size(), version);
  put_at[at] = std::max(put_at[at], version);
}

std::pair<RowWork::Units::iterator, bool> RowWork::Add(std::string_view family, std::string_view qualifier) {
  const auto added = units.try_emplace(UnitKey(family, qualifier));
  if (added.second) {
    Unit* unit = &added.first->second.unit;
    unit->row = row;
    unit->family = family;
    unit->qualifier = qualifier;
    unit->families = families;
  }
  return added;
}

bool RowWork::complete() const {
  return std::none_of(units.begin(), units.end(), [](const auto& unit) { return unit.second.doubtful; });
}

}  // namespace fensi::indexer
