// From a WAL entry to its rows: each is one mutation, with all its cells in the order in which HBase applied them.
//
// Pure; any thread. Nothing is copied until FillEvent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "capture/wal/cell_block.h"
#include "capture/wal/wal_batch.h"

namespace fensi::capture {

/// The cells of one row in an entry, in the entry's order. A view: the EntryRows must live, and not go on.
struct RowCells {
  std::string_view row;
  std::string_view block;            // the cells of the entry
  std::span<const uint32_t> begins;  // where in the block its cells begin: one place, unless the row stands in it apart
  size_t count = 0;
  size_t bytes = 0;  // of its cells in HBase's form
  size_t tag_bytes = 0;
  bool of_hbase = false;  // HBase's own (bulk-load markers, replication markers): no mutation of a row
};

/// Goes through the cells of a row. Never fails: the entry was read before.
class RowReader {
 public:
  explicit RowReader(const RowCells& row) : row_(row), reader_(row.block) {}
  /// False after the last one.
  bool Next(WalCell* cell);
  /// In HBase's form, of the cell that came last.
  size_t cell_bytes() const { return cell_bytes_; }

 private:
  bool ReadOwn(WalCell* cell);

  RowCells row_;
  CellBlockReader reader_;
  size_t runs_begun_ = 0;  // of row_.begins
  size_t cell_bytes_ = 0;
};

/// Walks the rows of an entry. Each comes once, with all its cells: a row that stands in an entry twice, with others in
/// between, was changed by one mutation all the same. An entry whose rows do not ascend takes eight bytes of memory for
/// each place where another row begins.
class EntryRows {
 public:
  explicit EntryRows(const WalEntry& entry);
  /// False after the last one.
  bool Next(RowCells* row);

 private:
  WalCell CellAt(uint32_t begin) const;
  bool SameRow(uint32_t one, uint32_t other) const;
  /// With the place of each cell before which another row, or none, stands.
  template <typename Take>
  void ForEachRun(Take take) const;
  /// Fills begins_ and firsts_.
  void FindRows();
  /// Where the cells of the next row begin; empty after the last one.
  std::span<const uint32_t> NextBegins();

  const std::string_view cells_;
  const bool ascend_;
  uint32_t begin_ = 0, end_ = 0;  // where rows ascend: of the row that came last
  std::vector<uint32_t> begins_;  // else: of each run of cells of one row, by row and place
  std::vector<uint32_t> firsts_;  // of each row in begins_, by their place in the entry
  size_t next_ = 0;               // of firsts_
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
