#include "store/hbase/call_sequences.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

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

struct RowGroup {
  Batch mutations;  // of one row, in order
  size_t cells = 0;
  size_t bytes = 0;
};

std::vector<RowGroup> GroupByRow(std::span<const RowMutation> rows, std::span<const size_t> wanted) {
  std::vector<RowGroup> groups;
  std::unordered_map<std::string_view, size_t> group_of;
  group_of.reserve(wanted.size());
  for (size_t index : wanted) {
    const auto [found, is_new] = group_of.try_emplace(rows[index].row, groups.size());
    if (is_new) groups.emplace_back();
    RowGroup& group = groups[found->second];
    group.mutations.push_back(index);
    group.cells += rows[index].cells.size();
    group.bytes += BytesOf(rows[index]);
  }
  return groups;
}

}  // namespace

size_t ShareOf(size_t count, int connections, size_t smallest, size_t largest) {
  const auto ways = static_cast<size_t>(std::max(connections, 1));
  return std::clamp((count + ways - 1) / ways, smallest, largest);
}

std::vector<CallSequence> CutIntoSequences(std::span<const RowMutation> rows, std::span<const size_t> wanted,
                                           int connections, const BatchLimits& limits) {
  const std::vector<RowGroup> groups = GroupByRow(rows, wanted);
  size_t cells = 0;
  for (const RowGroup& group : groups) cells += group.cells;
  BatchLimits share = limits;
  share.cells = ShareOf(cells, connections, std::min(kWorthACall, limits.cells), limits.cells);
  std::vector<CallSequence> sequences;
  SequenceFiller filler(share);
  for (const RowGroup& group : groups) {
    if (!filler.Fits(group.cells, group.bytes)) filler.EndSequence(&sequences);
    for (size_t index : group.mutations) filler.Add(index, rows[index].cells.size(), BytesOf(rows[index]));
  }
  filler.EndSequence(&sequences);
  return sequences;
}

}  // namespace fensi::store
