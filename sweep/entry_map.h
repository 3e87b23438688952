// The entries of a unit, found by their cells. Borrows the list. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "mapping/entry_list.h"
#include "sweep/index_cell.h"

namespace fensi::sweep {

class EntryMap {
 public:
  explicit EntryMap(const mapping::EntryList& entries);
  /// Of two of the same cell the later.
  std::optional<mapping::Entry> Find(const mapping::Entry& cell) const;

 private:
  const mapping::EntryList& entries_;
  std::unordered_map<uint64_t, size_t> by_hash_;
};

}  // namespace fensi::sweep
