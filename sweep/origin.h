// Which unit of the source gives an index cell, if any does: told by its row key and column, or else by its value.
// Pure.
#pragma once

#include <optional>

#include "mapping/index.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {

struct Origin {
  SourceUnit unit;
  bool by_value = false;  // only the cell's value tells the unit
};

/// By row key and column alone: no other source row can give the cell, whatever stands in it.
std::optional<SourceUnit> UnitByKey(const mapping::Index& index, const mapping::Entry& cell);
/// No other row than that of the unit can give the cell.
bool IsOwnCell(const mapping::Index& index, const mapping::Entry& cell, const SourceUnit& unit);
std::optional<Origin> OriginOf(const mapping::Index& index, const mapping::Entry& cell);

}  // namespace fensi::sweep
