// One row of a table, however many cells it has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "store/store.h"

namespace fensi::store {

/// A scan of one row.
ScanRequest RowRequest(const std::string& row);

/// Calls `use` with each cell and marker that a raw read shows in these columns of one row, without values. `go_on` is
/// asked before each page; its error ends the read. Blocks on the store.
Status ForEachRawCell(Store* store, const std::string& table, const std::string& row,
                      std::vector<GetRequest::Column> columns, const std::function<Status()>& go_on,
                      const std::function<void(const Cell&)>& use);

}  // namespace fensi::store
