// What of the source an entry follows from: a row, or one column of it where an index keeps its states by columns. A
// comparison reads the same of it as `fensi run` does. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"
#include "sweep/index_cell.h"

namespace fensi::sweep {

/// Above this an index may keep less of a unit than the source shows (its state is one cell), so nothing can be said.
constexpr size_t kMostUnitBytes = size_t{8} << 20;

struct SourceUnit {
  std::string row;
  std::optional<store::ColumnPlace> column;  // none: the whole row
  bool operator==(const SourceUnit&) const = default;
};

/// An order of units: those of a row together.
bool UnitBefore(const SourceUnit& a, const SourceUnit& b);

/// Columns, and families, that an index watches.
std::vector<store::GetRequest::Column> WatchedColumns(const mapping::Index& index);
store::GetRequest UnitRequest(const mapping::Index& index, const SourceUnit& unit);

/// The timestamp of its newest watched cell; INT64_MIN: it has none.
int64_t NewestOf(const mapping::Index& index, const store::Row& row);

/// All watched cells with timestamps and values: two reads with the same image saw the same.
Hash ImageOf(const mapping::Index& index, const store::Row& row);

}  // namespace fensi::sweep
