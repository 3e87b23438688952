// Texts in the filter language of HBase's gateway. Pure, any thread.
#pragma once

#include <string>

#include "store/store.h"

namespace fensi::store {

/// Columns of each family from this one on.
std::string ColumnsFrom(const std::string& qualifier);

/// The filter of a scan: columns of a raw scan, the start within a row, keys only. Empty: none.
std::string FilterOf(const ScanRequest& request);

}  // namespace fensi::store
