// The part of the source that an entry follows from: a row, or one column of it if the index keeps states by columns. A
// comparison reads the same cells as `fensi run`. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/entry_list.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::sweep {

/// The name of an index cell, and a 128-bit hash of it if a million of them are kept. Pure.
struct IndexCell {
  std::string table, row, family, qualifier;

  static IndexCell Of(const mapping::Entry& entry);
  /// Views into the cell.
  mapping::Entry View() const;
  /// Approximate size in memory.
  size_t HeldBytes() const;
};

struct Hash {
  uint64_t low = 0, high = 0;
  bool operator==(const Hash&) const = default;
};

/// Hash of a sequence of fields; ("ab","c") and ("a","bc") differ.
class Hasher {
 public:
  void Add(std::string_view bytes);
  void Add(int64_t number);
  Hash hash() const { return hash_; }

 private:
  Hash hash_;
};

/// Hash of table, row and column.
Hash CellHash(const mapping::Entry& entry);

// A unit of the source: a row, or one column of it.

/// Above this size an index may keep less of a unit than the source shows, because its state is one cell, so the unit
/// cannot be compared.
constexpr size_t kMostUnitBytes = size_t{8} << 20;

struct SourceUnit {
  std::string row;
  std::optional<store::ColumnPlace> column;  // absent: the whole row
  bool operator==(const SourceUnit&) const = default;
};

/// Orders units so that those of a row are together.
bool UnitBefore(const SourceUnit& a, const SourceUnit& b);

/// Columns, and families, that an index watches.
std::vector<store::GetRequest::Column> WatchedColumns(const mapping::Index& index);
store::GetRequest UnitRequest(const mapping::Index& index, const SourceUnit& unit);

/// The timestamp of its newest watched cell; INT64_MIN: it has none.
int64_t NewestOf(const mapping::Index& index, const store::Row& row);

/// Hash of all watched cells with timestamps and values: two reads with the same image saw the same.
Hash ImageOf(const mapping::Index& index, const store::Row& row);

/// The source unit of an index cell, if one can be found: by its row key and column, or else by its value. Pure.
struct Origin {
  SourceUnit unit;
  bool by_value = false;  // only the cell's value identifies the unit
};

/// The unit by row key and column alone: no other source row can give the cell, whatever its value is.
std::optional<SourceUnit> UnitByKey(const mapping::Index& index, const mapping::Entry& cell);
/// True if only the unit's row can give the cell.
bool IsOwnCell(const mapping::Index& index, const mapping::Entry& cell, const SourceUnit& unit);
std::optional<Origin> SourceOfEntry(const mapping::Index& index, const mapping::Entry& cell);

}  // namespace fensi::sweep
