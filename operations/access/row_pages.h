// Reads a scan from its first page to its last. Blocks; as thread-safe as the store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/store.h"

namespace fensi::operations {

/// Rows that begin with `prefix` (empty: all).
store::ScanRequest PrefixScan(const std::string& prefix);
/// The row of exactly that key.
store::ScanRequest RowScan(const std::string& row);

/// Calls `use` for each row in order, at most `max_rows` times (0: for all); returns the number of calls.
Result<int64_t> ForEachRow(store::Store* store, const std::string& table, store::ScanRequest request, int64_t max_rows,
                           const std::function<void(const store::Row&)>& use);

/// Calls `use` for each row in order until it returns false.
Status ScanWhile(store::Store* store, const std::string& table, store::ScanRequest request,
                 const std::function<bool(const store::Row&)>& use);

}  // namespace fensi::operations
