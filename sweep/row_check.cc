#include "sweep/row_check.h"

#include <utility>

#include "sweep/entry_map.h"
#include "sweep/expectation.h"
#include "sweep/origin.h"

namespace fensi::sweep {
namespace {

constexpr size_t kMostCells = 2'000;
constexpr size_t kMostBytes = size_t{4} << 20;

bool IsOwn(const mapping::Index& index, const IndexCell& cell, const SourceUnit& unit) {
  const std::optional<SourceUnit> owner = UnitByKey(index, cell.View());
  return owner && owner->row == unit.row;
}

}  // namespace

RowCheck::RowCheck(const mapping::Index* index, store::Store* store, Clock* clock)
    : index_(index), store_(store), clock_(clock), cells_(index, store), derivation_(index) {}

Status RowCheck::Look(std::span<const NamedUnit> units, const Use& use) {
  std::vector<store::GetRequest> requests;
  for (const NamedUnit& named : units) requests.push_back(UnitRequest(*index_, named.unit));
  FENSI_RETURN_IF_ERROR(GetEach(store_, index_->source_table(), requests, [&](size_t request, const store::Row& row) {
    Expect(units[request], row);
    return wanted_.size() < kMostCells && bytes_ < kMostBytes ? Status() : Flush(use);
  }));
  return Flush(use);
}

void RowCheck::Expect(const NamedUnit& named, const store::Row& row) {
  mapping::EntryList entries;
  const bool whole = derivation_.DeriveAll(row, &entries);
  units_.push_back({&named, {}, whole});
  if (!whole) return;
  const EntryMap by_cell(entries);
  const Expectation now(*index_, clock_->WallMillis());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (now.Inside(entries[i]) && !now.Expires(entries[i])) Want(entries[i], true);
  }
  for (const IndexCell& cell : named.cells) {
    if (!by_cell.Find(cell.View()) && IsOwn(*index_, cell, named.unit)) Want(cell.View(), false);
  }
}

void RowCheck::Want(const mapping::Entry& cell, bool given) {
  entries_.Add(cell);
  wanted_.push_back({units_.size() - 1, given});
  bytes_ += cell.row.size() + cell.qualifier.size() + cell.value.size();
}

Status RowCheck::Flush(const Use& use) {
  std::vector<mapping::Entry> cells;
  for (size_t i = 0; i < entries_.size(); ++i) cells.push_back(entries_[i]);
  FENSI_RETURN_IF_ERROR(cells_.Read(cells, [&](size_t place, const Cell* found) {
    if (auto wrong = WrongWith(place, cells[place], found)) {
      units_[wanted_[place].unit].wrong.push_back(std::move(*wrong));
    }
  }));
  for (const SeenUnit& unit : units_) FENSI_RETURN_IF_ERROR(use(unit));
  entries_.Clear();
  wanted_.clear();
  units_.clear();
  bytes_ = 0;
  return Status();
}

std::optional<WrongCell> RowCheck::WrongWith(size_t place, const mapping::Entry& wanted, const Cell* found) const {
  using Kind = Finding::Kind;
  const bool given = wanted_[place].given;
  if (found == nullptr) return given ? std::optional(WrongCell{Kind::kMissing, IndexCell::Of(wanted)}) : std::nullopt;
  if (given && (index_->shared() || found->value == wanted.value)) return std::nullopt;
  WrongCell wrong{given ? Kind::kContentDiffers : Kind::kOrphan, IndexCell::Of(wanted), found->timestamp};
  wrong.own = !index_->unique() || IsOwn(*index_, wrong.cell, units_[wanted_[place].unit].named->unit);
  return wrong;
}

}  // namespace fensi::sweep
