// Texts in the filter language of HBase's gateway. Pure, any thread.
#pragma once

#include <string>

#include "store/store.h"

namespace fensi::store {

/// Columns of each family from this one on.
std::string ColumnsFrom(const std::string& qualifier);

/// What a scan leaves to filters: columns of a raw scan, the begin within a row, keys alone. Empty: nothing.
std::string FilterOf(const ScanRequest& request);

}  // namespace fensi::store
