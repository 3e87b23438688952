// A cell of an index by its name, and 128 bits that stand for it where a million of them are kept. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mapping/entry_list.h"

namespace fensi::sweep {

struct IndexCell {
  std::string table, row, family, qualifier;

  static IndexCell Of(const mapping::Entry& entry);
  /// Views into the cell.
  mapping::Entry View() const;
  /// About what it takes in memory.
  size_t HeldBytes() const;
};

struct Hash {
  uint64_t low = 0, high = 0;
  bool operator==(const Hash&) const = default;
};

/// Of bytes that come one after the other; where one ends and the next begins counts.
class Hasher {
 public:
  void Add(std::string_view bytes);
  void Add(int64_t number);
  Hash hash() const { return hash_; }

 private:
  Hash hash_;
};

/// Of table, row and column.
Hash CellHash(const mapping::Entry& entry);

}  // namespace fensi::sweep
