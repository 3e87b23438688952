#include "indexer/state/row_work.h"

#include <algorithm>

namespace fensi::indexer {

std::string UnitKey(std::string_view family, std::string_view qualifier) {
  std::string key(family);
  if (!family.empty()) key.append(":").append(qualifier);
  return key;
}

UnitWork* RowWork::FindOrAdd(std::string_view family, std::string_view qualifier, bool* was_added) {
  auto [place, added] = units.try_emplace(UnitKey(family, qualifier));
  UnitWork* work = &place->second;
  if (was_added != nullptr) *was_added = added;
  if (added) {
    work->unit.row = row;
    work->unit.family = family;
    work->unit.qualifier = qualifier;
    work->unit.families = families;
  }
  return work;
}

bool RowWork::complete() const {
  return std::none_of(units.begin(), units.end(), [](const auto& unit) { return unit.second.doubtful; });
}

}  // namespace fensi::indexer
