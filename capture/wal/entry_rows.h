// From a WAL entry to its rows: each is one mutation, with all its cells in the order in which HBase applied them.
//
// Pure; any thread. Nothing is copied until FillEvent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "capture/wal/cell_block.h"
#include "capture/wal/wal_batch.h"

namespace fensi::capture {

/// Consecutive cells of one row in an entry.
struct RowCells {
  std::string_view row;
  std::string_view cells;  // a cell block
  size_t count = 0;
  size_t tag_bytes = 0;
  bool of_hbase = false;  // HBase's own (bulk-load markers, replication markers): no mutation of a row
};

/// Walks the rows of an entry; HBase sorts an entry's cells by row.
class EntryRows {
 public:
  explicit EntryRows(const WalEntry& entry) : rest_(entry.cells) {}
  /// False behind the last one.
  bool Next(RowCells* row);

 private:
  std::string_view rest_;
};

/// Everything of an event but its cells.
void FillHead(const WalEntry& entry, std::string_view row, ChangeEvent* event);
/// A client may give a delete a value, and a family's marker a qualifier; HBase looks at neither, and they are left
/// out.
void FillCell(const WalCell& from, Cell* to);
/// The whole event; reuses its memory.
void FillEvent(const WalEntry& entry, const RowCells& row, ChangeEvent* event);

/// For people: what a bulk load brought in past the stream ("2 files into family f1"); absent: the cell is no
/// bulk-load marker.
std::optional<std::string> BulkLoadOf(const WalCell& cell);

/// Does a tag of the cell say who may see it (visibility labels, an access control list)?
bool RestrictsReaders(const WalCell& cell);

}  // namespace fensi::capture
