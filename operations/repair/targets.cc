#include "operations/repair/targets.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fensi::operations {
namespace {

using sweep::IndexCell;
using sweep::RepairTarget;
using sweep::SourceUnit;

constexpr size_t kMostCells = 200'000;
constexpr size_t kMostHeldBytes = size_t{64} << 20;
constexpr size_t kAroundUnit = 256;

struct UnitOrder {
  bool operator()(const SourceUnit& a, const SourceUnit& b) const { return UnitBefore(a, b); }
};

struct CellOrder {
  static auto Name(const IndexCell& cell) { return std::tie(cell.table, cell.row, cell.family, cell.qualifier); }
  bool operator()(const IndexCell& a, const IndexCell& b) const { return Name(a) < Name(b); }
};

class Batch {
 public:
  void Add(const Target& target) {
    std::vector<IndexCell>& cells = units_[target.unit];
    bytes_ += kAroundUnit + target.unit.row.size();
    if (!target.cell) return;
    bytes_ += target.cell->HeldBytes();
    cells.push_back(*target.cell);
  }
  bool full() const { return bytes_ > kMostHeldBytes || units_.size() > kMostCells; }

  /// Empties it.
  std::vector<RepairTarget> Take() {
    std::vector<RepairTarget> units;
    for (auto& [unit, cells] : units_) {
      std::sort(cells.begin(), cells.end(), CellOrder());
      const auto same = [](const IndexCell& a, const IndexCell& b) { return CellOrder::Name(a) == CellOrder::Name(b); };
      cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
      units.push_back({unit, std::move(cells)});
    }
    units_.clear();
    bytes_ = 0;
    return units;
  }

 private:
  std::map<SourceUnit, std::vector<IndexCell>, UnitOrder> units_;
  size_t bytes_ = 0;
};

}  // namespace

Status RowList::ForEach(const Use& use) {
  for (const std::string& row : rows_) FENSI_RETURN_IF_ERROR(use({{row, {}}, {}}));
  return Status();
}

Status ForEachBatch(TargetList* targets, const std::function<Status(std::span<const RepairTarget>)>& use) {
  Batch batch;
  FENSI_RETURN_IF_ERROR(targets->ForEach([&](const Target& target) {
    if (target.unit.row.empty()) return Status();
    batch.Add(target);
    return batch.full() ? use(batch.Take()) : Status();
  }));
  return use(batch.Take());
}

}  // namespace fensi::operations
