// Gets of many rows, and the read points of their regions. Blocks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hbase/calls/context.h"
#include "hbase/requests.h"

namespace fensi::hbase {

/// Answer i belongs to get i; an absent row has no cells. kConfiguration: the table lacks a family. `too_big` are gets
/// whose rows HBase does not read at once (hbase.table.max.rowsize): read them by a scan.
struct GotRows {
  std::vector<RowCells> rows;
  std::vector<size_t> too_big;
};
Result<GotRows> ReadBatch(const CallContext& context, const std::string& table, std::span<const GetSpec> gets);

/// Read point i is that of the region of get i: one call for each region, all in flight together. It asks for the
/// columns of the region's first get, so that the right to read them is enough.
Result<std::vector<ReadPoint>> ReadPoints(const CallContext& context, const std::string& table,
                                          std::span<const GetSpec* const> gets);

}  // namespace fensi::hbase
