// Splits a mutation that is too large for one message into parts, one at a time: whatever a region server sends, at
// most one part of it is held in memory besides the call itself.
#pragma once

#include <cstdint>

#include "base/cell.h"
#include "capture/wal/entry_rows.h"

namespace fensi::capture {

/// Each cell takes some hundred bytes of memory, however small it is in a message.
inline constexpr size_t kMostCellsOfAMessage = 100'000;

/// An upper bound of the size of key and value of the row's message.
size_t MessageBound(const WalEntry& entry, const RowCells& row);

/// Views into the entry, which must outlive it. Not thread-safe.
class PartCutter {
 public:
  /// `limit`: maximum size of a message. Scans the row once, to know how many parts there are.
  PartCutter(const WalEntry& entry, const RowCells& row, size_t limit);

  /// Number of parts of all cells that fit. 0: none does.
  uint32_t parts() const { return parts_; }
  /// Fills the next part; false after the last.
  bool Next(ChangeEvent* part);
  /// Calls `take` for each cell that alone is above the limit.
  template <typename Take>
  void ForEachTooLarge(Take take) const {
    RowReader reader(row_);
    for (hbase::CellView cell; reader.Next(&cell);) {
      if (TooLarge(cell)) take(cell);
    }
  }

 private:
  bool TooLarge(const hbase::CellView& cell) const;
  /// True if the cell fits besides this many cells, which take this many bytes.
  bool Fits(const hbase::CellView& cell, size_t cells, size_t used) const;

  const WalEntry& entry_;
  const RowCells row_;
  const size_t limit_;
  const size_t head_;  // size of a message without cells, at most
  RowReader reader_;
  hbase::CellView waiting_;  // the cell that did not fit into the part before
  bool has_waiting_ = false;
  uint32_t parts_ = 0;
};

}  // namespace fensi::capture
