// Cuts a mutation that is too large for one message into parts that are not, one at a time: whatever a region server
// sends, no more than one part of it is held in memory beside the call itself.
#pragma once

#include <cstdint>

#include "base/cell.h"
#include "capture/wal/entry_rows.h"

namespace fensi::capture {

/// A cell in hand takes some hundred bytes of memory, however small it is in a message.
inline constexpr size_t kMostCellsOfAMessage = 100'000;

/// An upper bound of the bytes that key and value of the row's message take.
size_t MessageBound(const WalEntry& entry, const RowCells& row);

/// Views into the entry, which must outlive it. Not thread-safe.
class PartCutter {
 public:
  /// `limit`: of a message. Walks the row once, to know how many parts there are.
  PartCutter(const WalEntry& entry, const RowCells& row, size_t limit);

  /// All cells that fit, in their order. 0: none does.
  uint32_t parts() const { return parts_; }
  /// Fills the next part; false behind the last.
  bool Next(ChangeEvent* part);
  /// Calls `take` for each cell that alone is above the limit.
  template <typename Take>
  void ForEachTooLarge(Take take) const {
    RowReader reader(row_);
    for (WalCell cell; reader.Next(&cell);) {
      if (TooLarge(cell)) take(cell);
    }
  }

 private:
  bool TooLarge(const WalCell& cell) const;
  /// Beside so many cells, which take so many bytes?
  bool Fits(const WalCell& cell, size_t cells, size_t used) const;

  const WalEntry& entry_;
  const RowCells row_;
  const size_t limit_;
  const size_t head_;  // bound of a message without cells
  RowReader reader_;
  WalCell waiting_;  // the cell that did not fit into the part before
  bool has_waiting_ = false;
  uint32_t parts_ = 0;
};

}  // namespace fensi::capture
