// Samples rows from recorded change events for a starter mapping. Blocks on the files; one thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "mapping/mapping_draft.h"
#include "operations/files/recorded_events.h"

namespace fensi::operations {

/// The rows that the files of `source` make of the first events of a table, up to the first event of one row more than
/// wanted, or 64 MiB. kNotFound: no event of the table.
Result<mapping::TableSample> RecordedRows(const std::string& source, const CsvColumns& columns,
                                          const std::string& table, size_t wanted);

}  // namespace fensi::operations
