// Divides a WAL entry into its rows: each is one mutation, with all its cells in the order in which HBase applied them.
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
#include "capture/wal/wal_batch.h"
#include "hbase/wire/cell_block.h"

namespace fensi::capture {

/// The cells of one row in an entry, in the entry's order. A view: the EntryRows must live, and not advance.
struct RowCells {
  std::string_view row;
  std::string_view block;            // the cells of the entry
  std::span<const uint32_t> begins;  // positions where its cells begin: one, unless the row is in the block several
                                     // times
  size_t count = 0;
  size_t bytes = 0;  // of its cells in HBase's form
  size_t tag_bytes = 0;
  bool of_hbase = false;  // HBase's own (bulk-load markers, replication markers): no mutation of a row
};

/// Iterates over the cells of a row. Never fails: the entry was read before.
class RowReader {
 public:
  explicit RowReader(const RowCells& row) : row_(row), reader_(row.block) {}
  /// False after the last one.
  bool Next(hbase::CellView* cell);
  /// Size of the last cell in HBase's form.
  size_t cell_bytes() const { return cell_bytes_; }

 private:
  bool ReadOwn(hbase::CellView* cell);

  RowCells row_;
  hbase::CellBlockReader reader_;
  size_t runs_begun_ = 0;  // of row_.begins
  size_t cell_bytes_ = 0;
};

/// Iterates over the rows of an entry. Each row comes once, with all its cells: a row that is in an entry twice, with
/// others in between, was changed by one mutation all the same. An entry whose rows do not ascend takes eight bytes of
/// memory for each position where another row begins.
class EntryRows {
 public:
  explicit EntryRows(const WalEntry& entry);
  /// False after the last one.
  bool Next(RowCells* row);

 private:
  hbase::CellView CellAt(uint32_t begin) const;
  bool SameRow(uint32_t one, uint32_t other) const;
  /// Calls `take` with the position of each cell that begins another row.
  template <typename Take>
  void ForEachRun(Take take) const;
  /// Fills begins_ and firsts_.
  void FindRows();
  /// Positions where the cells of the next row begin; empty after the last one.
  std::span<const uint32_t> NextBegins();

  const std::string_view cells_;
  const bool ascend_;
  uint32_t begin_ = 0, end_ = 0;  // if rows ascend: of the last row
  std::vector<uint32_t> begins_;  // else: per run of cells of one row, sorted by row and position
  std::vector<uint32_t> firsts_;  // per row in begins_, sorted by position in the entry
  size_t next_ = 0;               // index in firsts_
};

/// Fills everything of an event but its cells.
void FillHead(const WalEntry& entry, std::string_view row, ChangeEvent* event);
/// A client may give a delete a value, and a family's marker a qualifier; HBase ignores both, so they are dropped.
void FillCell(const hbase::CellView& from, Cell* to);
/// Fills the whole event; reuses its memory.
void FillEvent(const WalEntry& entry, const RowCells& row, ChangeEvent* event);

/// What HBase logs of a bulk load into a region.
struct BulkLoad {
  std::vector<std::string> families;  // that got files; empty: unknown
  std::string text;                   // for people: "2 files into family f1"
};

/// Absent: the cell is no bulk-load marker.
std::optional<BulkLoad> BulkLoadOf(const hbase::CellView& cell);
/// Fills the event of a bulk load that the entry's row of HBase's own cells describes. False: it describes none.
bool FillBulkLoad(const WalEntry& entry, const RowCells& row, ChangeEvent* event, std::string* text);

/// True if a tag of the cell restricts its readers (visibility labels, an access control list).
bool RestrictsReaders(const hbase::CellView& cell);

}  // namespace fensi::capture
