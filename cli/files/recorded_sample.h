// Rows for a starter mapping, out of recorded change events. Blocks on the files; one thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "mapping/starter.h"

namespace fensi::cli {

/// What the files that --source names make of the first so many rows of a table, up to the first event of one row more
/// or 64 MiB. kNotFound: they have none of it.
Result<mapping::TableSample> RecordedRows(const std::string& table, size_t wanted);

}  // namespace fensi::cli
