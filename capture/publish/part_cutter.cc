#include "capture/publish/part_cutter.h"

namespace fensi::capture {
namespace {

// Tags and lengths of protobuf around numbers and byte strings, and Kafka's record around the message.
constexpr size_t kCellOverhead = 48;
constexpr size_t kEventOverhead = 256;
// A tag has 3 bytes around its value in HBase's form, and up to 24 in ours.
constexpr size_t kTagGrowth = 9;

size_t CellBound(const hbase::CellView& cell) {
  return kCellOverhead + cell.family.size() + cell.qualifier.size() + cell.value.size() + kTagGrowth * cell.tags.size();
}

/// The row counts twice: it is the key, too.
size_t HeadBound(const WalEntry& entry, std::string_view row) {
  return kEventOverhead + entry.table.size() + 2 * row.size() + entry.region.size();
}

}  // namespace

size_t MessageBound(const WalEntry& entry, const RowCells& row) {
  // In HBase's form each cell repeats the row, and has more around its names than nothing.
  const size_t cells = row.bytes - row.count * row.row.size();
  return HeadBound(entry, row.row) + cells + row.count * kCellOverhead + kTagGrowth * row.tag_bytes;
}

PartCutter::PartCutter(const WalEntry& entry, const RowCells& row, size_t limit)
    : entry_(entry), row_(row), limit_(limit), head_(HeadBound(entry, row.row)), reader_(row) {
  size_t used = limit, cells = 0;  // of the current part: none yet
  RowReader reader(row);
  for (hbase::CellView cell; reader.Next(&cell);) {
    if (TooLarge(cell)) continue;
    if (!Fits(cell, cells, used)) {
      ++parts_;
      used = head_;
      cells = 0;
    }
    used += CellBound(cell);
    ++cells;
  }
}

bool PartCutter::Fits(const hbase::CellView& cell, size_t cells, size_t used) const {
  return cells < kMostCellsOfAMessage && used + CellBound(cell) <= limit_;
}

bool PartCutter::TooLarge(const hbase::CellView& cell) const { return head_ + CellBound(cell) > limit_; }

bool PartCutter::Next(ChangeEvent* part) {
  FillHead(entry_, row_.row, part);
  part->cells.clear();
  size_t used = head_;
  while (has_waiting_ || reader_.Next(&waiting_)) {
    has_waiting_ = !TooLarge(waiting_);
    if (!has_waiting_) continue;
    if (!Fits(waiting_, part->cells.size(), used)) break;
    used += CellBound(waiting_);
    FillCell(waiting_, &part->cells.emplace_back());
    has_waiting_ = false;
  }
  return !part->cells.empty();
}

}  // namespace fensi::capture
