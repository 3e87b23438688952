// Parses rows of hbase:meta. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hbase/locate/region.h"
#include "hbase/wire/cell_block.h"

namespace fensi::hbase {

inline constexpr char kMetaTable[] = "hbase:meta";
inline constexpr char kMetaRegion[] = "hbase:meta,,1";

/// A region by its row. `location.server.host` is empty while no server has it.
struct MetaRow {
  RegionLocation location;
  bool serving = true;  // neither offline nor split, and no replica
};

/// Absent: the cells are not those of a region.
std::optional<MetaRow> ParseMetaRow(const std::vector<CellView>& cells);

/// The row from which a reversed scan finds the region of `row`, and the row at which the scan ends.
std::string MetaKeyOf(std::string_view table, std::string_view row);
std::string MetaStopOf(std::string_view table);

}  // namespace fensi::hbase
