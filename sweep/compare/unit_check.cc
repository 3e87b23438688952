#include "sweep/compare/unit_check.h"

#include <utility>

#include "sweep/compare/finding.h"
#include "sweep/scan/source_unit.h"
#include "sweep/scan/table_list.h"

namespace fensi::sweep {
namespace {

constexpr size_t kMostCells = 2'000;
constexpr size_t kMostBytes = size_t{4} << 20;

}  // namespace

UnitCheck::UnitCheck(const mapping::Index* index, store::Store* store, Clock* clock, NewestPut newest_put)
    : index_(index),
      store_(store),
      clock_(clock),
      cells_(index, store),
      derivation_(index),
      times_(index, std::move(newest_put)) {}

Status UnitCheck::Look(std::span<const RepairTarget> units, const Use& use) {
  std::vector<store::GetRequest> requests;
  for (const RepairTarget& named : units) requests.push_back(UnitRequest(*index_, named.unit));
  FENSI_RETURN_IF_ERROR(GetEach(store_, index_->source_table(), requests, [&](size_t request, const store::Row& row) {
    Expect(units[request], row);
    return wanted_.size() < kMostCells && bytes_ < kMostBytes ? Status() : Flush(use);
  }));
  return Flush(use);
}

void UnitCheck::Expect(const RepairTarget& named, const store::Row& row) {
  mapping::EntryList entries;
  const bool whole = derivation_.DeriveAll(row, &entries);
  units_.push_back({&named, {}, whole, NewestOf(*index_, row)});
  if (!whole) return;
  const EntryMap by_cell(entries);
  const Expectation now(*index_, clock_->WallMillis());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (now.Inside(entries[i]) && !now.Expires(entries[i])) Want(entries[i], true);
  }
  for (const IndexCell& cell : named.cells) {
    if (!by_cell.Find(cell.View()) && IsOwnCell(*index_, cell.View(), named.unit)) Want(cell.View(), false);
  }
}

void UnitCheck::Want(const mapping::Entry& cell, bool given) {
  entries_.Add(cell);
  wanted_.push_back({units_.size() - 1, given});
  bytes_ += cell.row.size() + cell.qualifier.size() + cell.value.size();
}

Status UnitCheck::Flush(const Use& use) {
  std::vector<mapping::Entry> cells;
  for (size_t i = 0; i < entries_.size(); ++i) cells.push_back(entries_[i]);
  FENSI_RETURN_IF_ERROR(cells_.Read(cells, [&](size_t place, const Cell* found) {
    if (auto wrong = WrongWith(place, cells[place], found)) {
      units_[wanted_[place].unit].wrong.push_back(std::move(*wrong));
    } else if (found != nullptr) {
      NoteTime(place, cells[place], found->timestamp);
    }
  }));
  FENSI_RETURN_IF_ERROR(CheckTimes(cells));
  for (const CheckedUnit& unit : units_) FENSI_RETURN_IF_ERROR(use(unit));
  entries_.Clear();
  wanted_.clear();
  units_.clear();
  bytes_ = 0;
  return Status();
}

void UnitCheck::NoteTime(size_t place, const mapping::Entry& cell, int64_t timestamp) {
  const CheckedUnit& unit = units_[wanted_[place].unit];
  if (times_.MayBeTooNew(unit.named->unit, cell, timestamp, unit.newest)) late_.push_back({place, timestamp});
}

Status UnitCheck::CheckTimes(std::span<const mapping::Entry> cells) {
  std::vector<SourceUnit> units;
  for (const Late& late : late_) units.push_back(units_[wanted_[late.place].unit].named->unit);
  FENSI_ASSIGN_OR_RETURN(const std::vector<int64_t> newest, times_.NewestPuts(units));
  for (size_t i = 0; i < late_.size(); ++i) {
    // M18: too new, so the entry would hide later changes.
    if (late_[i].timestamp <= newest[i]) continue;
    units_[wanted_[late_[i].place].unit].wrong.push_back(
        {Finding::Kind::kContentDiffers, IndexCell::Of(cells[late_[i].place]), late_[i].timestamp});
  }
  late_.clear();
  return {};
}

std::optional<MismatchedCell> UnitCheck::WrongWith(size_t place, const mapping::Entry& wanted,
                                                   const Cell* found) const {
  using Kind = Finding::Kind;
  const bool given = wanted_[place].given;
  if (found == nullptr)
    return given ? std::optional(MismatchedCell{Kind::kMissing, IndexCell::Of(wanted)}) : std::nullopt;
  if (given && (index_->shared() || found->value == wanted.value)) return std::nullopt;
  MismatchedCell wrong{given ? Kind::kContentDiffers : Kind::kOrphan, IndexCell::Of(wanted), found->timestamp};
  wrong.own = !index_->unique() || IsOwnCell(*index_, wrong.cell.View(), units_[wanted_[place].unit].named->unit);
  return wrong;
}

}  // namespace fensi::sweep
