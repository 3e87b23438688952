#include "indexer/state/row_work.h"

#include <algorithm>

namespace fensi::indexer {

std::string UnitKey(std::string_view family, std::string_view qualifier) {
  std::string key(family);
  if (!family.empty()) key.append(":").append(qualifier);
  return key;
}

int64_t UnitWork::NewestOfRegisters() const {
  int64_t newest = unit.families == nullptr ? kNoTime : unit.families->Newest();
  for (const ColumnState& column : unit.columns) newest = std::max(newest, column.Newest());
  return newest;
}

void UnitWork::NoteLoaded() {
  NoteLook();
  named = false;
  put_at.assign(unit.doubt.snapshots.size(), unit.version);
}

void UnitWork::NoteLook() { put_up_to = unit.doubt.active() ? NewestOfRegisters() : unit.version; }

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
