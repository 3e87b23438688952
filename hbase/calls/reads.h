// Gets of many rows. Blocks.
#pragma once

#include <functional>
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

}  // namespace fensi::hbase
