// From a WAL entry to change events: one for each row, with all its cells in the order in which HBase applied them.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "capture/wal/wal_batch.h"

namespace fensi::capture {

/// HBase's own entries (bulk-load markers, replication markers) have this family; they are no mutations of rows.
inline constexpr std::string_view kMetaFamily = "METAFAMILY";

/// Consecutive cells of one row become one event (HBase sorts an entry's cells by row); cells of kMetaFamily none. Puts
/// the events into `events`, reusing its memory; gives back how many there are.
size_t MakeEvents(const WalEntry& entry, std::vector<ChangeEvent>* events);

/// For people: what a bulk load brought in past the stream ("2 files into family f1"); absent: the cell is no
/// bulk-load marker.
std::optional<std::string> BulkLoadOf(const WalCell& cell);

}  // namespace fensi::capture
