#include "sweep/entry_map.h"

namespace fensi::sweep {

EntryMap::EntryMap(const mapping::EntryList& entries) : entries_(entries) {
  by_hash_.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) by_hash_.insert_or_assign(CellHash(entries[i]).low, i);
}

std::optional<mapping::Entry> EntryMap::Find(const mapping::Entry& cell) const {
  const auto found = by_hash_.find(CellHash(cell).low);
  if (found == by_hash_.end() || !SameCell(entries_[found->second], cell)) return std::nullopt;
  return entries_[found->second];
}

}  // namespace fensi::sweep
