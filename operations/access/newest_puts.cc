#include "operations/access/newest_puts.h"

#include "indexer/entry_versions.h"

namespace fensi::operations {

sweep::NewestPut NewestPuts(const mapping::Index& index, store::Store* store) {
  return [&index, store](std::span<const sweep::SourceUnit> units) {
    std::vector<indexer::EntryUnit> names;
    for (const sweep::SourceUnit& unit : units) {
      indexer::EntryUnit& name = names.emplace_back(indexer::EntryUnit{unit.row, "", ""});
      if (unit.column) name.family = unit.column->family;
      if (unit.column) name.qualifier = unit.column->qualifier;
    }
    return indexer::EntryVersions(&index, store).Newest(names);
  };
}

}  // namespace fensi::operations
