// The one conditional write, in one call of the gateway that is never repeated. Blocks; any thread that owns the
// connection.
#pragma once

#include <string>

#include "store/hbase/connection.h"
#include "store/store.h"

namespace fensi::store {

/// The change was checked (check.h); `*done`: was the column as expected? kUnavailable says that the outcome is not
/// known, kRejected is about the row or, with Suspect::kFamily, about the table.
Outcome CompareAndPutOn(Connection& connection, const std::string& table, const ConditionalPut& change, bool* done);

}  // namespace fensi::store
