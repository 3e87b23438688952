#include "indexer/state/row_work.h"

#include <algorithm>

namespace fensi::indexer {

std::string UnitKey(std::string_view family, std::string_view qualifier) {
  std::string key(family);
  if (!family.empty()) key.append(":").append(qualifier);
  return key;
}

void UnitWork::NoteLoaded() {
  put_up_to = unit.version;
  named = false;
  put_at.assign(unit.doubt.snapshots.size(), unit.version);
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
