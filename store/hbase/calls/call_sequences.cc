#include "store/hbase/calls/call_sequences.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace fensi::store {
namespace {

constexpr size_t kWorthACall = 250;  // cells
constexpr size_t kCellOverhead = 40;

size_t BytesOf(const RowMutation& mutation) {
  size_t bytes = mutation.row.size();
  for (const Cell& cell : mutation.cells) {
    bytes += cell.family.size() + cell.qualifier.size() + cell.value.size() + kCellOverhead;
  }
  return bytes;
}

/// Adds mutations to the last call of a sequence until it is full.
class SequenceFiller {
 public:
  explicit SequenceFiller(const BatchLimits& limits) : limits_(limits) {}

  bool Fits(size_t cells, size_t bytes) const {
    return !batch_.empty() && cells_ + cells <= limits_.cells && bytes_ + bytes <= limits_.bytes;
  }
  void Add(size_t index, size_t cells, size_t bytes) {
    if (!batch_.empty() && !Fits(cells, bytes)) EndBatch();
    batch_.push_back(index);
    cells_ += cells;
    bytes_ += bytes;
  }
  void EndSequence(std::vector<CallSequence>* sequences) {
    EndBatch();
    if (!sequence_.empty()) sequences->push_back(std::move(sequence_));
    sequence_.clear();
  }

 private:
  void EndBatch() {
    if (!batch_.empty()) sequence_.push_back(std::move(batch_));
    batch_.clear();
    cells_ = bytes_ = 0;
  }

  const BatchLimits limits_;
  CallSequence sequence_;
  Batch batch_;
  size_t cells_ = 0;
  size_t bytes_ = 0;
};

/// The mutations that are wanted, those of one row one behind the other in their order; rows in that of their first
/// ones.
struct Grouped {
  std::vector<size_t> mutations;
  std::vector<size_t> ends;  // of the rows, within them
};

Grouped GroupByRow(std::span<const RowMutation> rows, std::span<const size_t> wanted) {
  absl::flat_hash_map<std::string_view, size_t> numbers;
  numbers.reserve(wanted.size());
  std::vector<size_t> row_of(wanted.size());
  Grouped grouped;
  for (size_t i = 0; i < wanted.size(); ++i) {
    row_of[i] = numbers.try_emplace(rows[wanted[i]].row, grouped.ends.size()).first->second;
    if (row_of[i] == grouped.ends.size()) grouped.ends.push_back(0);
    ++grouped.ends[row_of[i]];
  }
  std::vector<size_t> next(grouped.ends.size());
  std::exclusive_scan(grouped.ends.begin(), grouped.ends.end(), next.begin(), size_t{0});
  grouped.mutations.resize(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) grouped.mutations[next[row_of[i]]++] = wanted[i];
  grouped.ends = std::move(next);
  return grouped;
}

size_t BytesOf(std::span<const RowMutation> rows, std::span<const size_t> mutations) {
  size_t bytes = 0;
  for (const size_t index : mutations) bytes += BytesOf(rows[index]);
  return bytes;
}

/// The most cells of one row, over all rows.
size_t MostCellsOfARow(std::span<const RowMutation> rows, const Grouped& grouped) {
  size_t most = 0, begin = 0;
  for (const size_t end : grouped.ends) {
    most = std::max(most, CellsOf(rows, std::span(grouped.mutations).subspan(begin, end - begin)));
    begin = end;
  }
  return most;
}

}  // namespace

size_t CellsOf(std::span<const RowMutation> rows, std::span<const size_t> mutations) {
  size_t cells = 0;
  for (const size_t index : mutations) cells += rows[index].cells.size();
  return cells;
}

size_t ShareOf(size_t count, int connections, size_t smallest, size_t largest) {
  const auto ways = static_cast<size_t>(std::max(connections, 1));
  return std::clamp((count + ways - 1) / ways, smallest, largest);
}

std::vector<CallSequence> CutIntoSequences(std::span<const RowMutation> rows, std::span<const size_t> wanted,
                                           int connections, const BatchLimits& limits) {
  const Grouped grouped = GroupByRow(rows, wanted);
  BatchLimits share = limits;
  share.cells = ShareOf(CellsOf(rows, wanted), connections, std::min(kWorthACall, limits.cells), limits.cells);
  // A row that does not fit leaves as much room as it has cells, but one.
  const size_t room = std::max<size_t>(1, MostCellsOfARow(rows, grouped)) - 1;
  share.cells = std::min(limits.cells, share.cells + std::min(room, share.cells / 4));
  std::vector<CallSequence> sequences;
  SequenceFiller filler(share);
  size_t begin = 0;
  for (const size_t end : grouped.ends) {
    const auto of_row = std::span(grouped.mutations).subspan(begin, end - begin);
    if (!filler.Fits(CellsOf(rows, of_row), BytesOf(rows, of_row))) filler.EndSequence(&sequences);
    for (const size_t index : of_row) filler.Add(index, rows[index].cells.size(), BytesOf(rows[index]));
    begin = end;
  }
  filler.EndSequence(&sequences);
  return sequences;
}

}  // namespace fensi::store
