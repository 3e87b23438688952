#include "sweep/compare/backward.h"

#include <algorithm>
#include <utility>

#include "sweep/compare/finding.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {
namespace {

constexpr size_t kMostItems = 2'000;
constexpr size_t kMostItemBytes = size_t{4} << 20;

}  // namespace

Backward::Backward(Sweep* sweep, BackwardOptions options)
    : sweep_(sweep), options_(std::move(options)), orphans_(options_.max_unknown), derivation_(sweep->index) {}

void Backward::Note(const mapping::Entry& entry) {
  if (!SourceOfEntry(*sweep_->index, entry)) orphans_.NoteDerived(entry);
}

Status Backward::WalkIndex(const UseCell& use) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> tables, sweep_->tables->Existing(sweep_->clock->WallMillis()));
  for (const std::string& table : tables) {
    const Status status = WalkTable(table, {}, use);
    const bool gone = status.code() == StatusCode::kNotFound && sweep_->index->table_is_template();
    if (!status.ok() && !gone) return status;
  }
  return Status();
}

Status Backward::WalkTable(const std::string& table, const RowRange& rows, const UseCell& use) {
  store::ScanRequest request;
  request.start_row = rows.start;
  request.stop_row = rows.stop;
  for (const mapping::FamilySpec& family : sweep_->index->create().families) {
    request.columns.push_back({family.name, {}});
  }
  return sweep_->walker->Walk(table, request, TableScanner::Rows::kInPieces, [&](const store::Row& row) {
    for (const Cell& cell : row.cells) {
      FENSI_RETURN_IF_ERROR(use({table, row.row, cell.family, cell.qualifier, cell.value}, cell.timestamp));
    }
    return Status();
  });
}

Status Backward::Compare() {
  FENSI_RETURN_IF_ERROR(WalkIndex([this](const mapping::Entry& cell, int64_t at) { return CompareCell(cell, at); }));
  FENSI_RETURN_IF_ERROR(Flush());
  return ProveUnknown();
}

Status Backward::Sum(const std::function<void(const mapping::Entry&, int64_t timestamp)>& found) {
  return WalkIndex([&](const mapping::Entry& cell, int64_t timestamp) {
    ++(timestamp > sweep_->as_of ? sweep_->counts->younger : sweep_->counts->cells);
    found(cell, timestamp);
    return Status();
  });
}

Status Backward::CompareTable(const std::string& table, const RowRange& rows) {
  const auto use = [this](const mapping::Entry& cell, int64_t at) { return CompareCell(cell, at); };
  FENSI_RETURN_IF_ERROR(WalkTable(table, rows, use));
  return Flush();
}

Status Backward::CompareCell(const mapping::Entry& cell, int64_t timestamp) {
  std::optional<Origin> origin = SourceOfEntry(*sweep_->index, cell);
  if (!origin) return Unknown(cell, timestamp);
  const store::ScanRequest& rows = sweep_->source_rows;
  const std::string& row = origin->unit.row;
  if (row < rows.start_row || (!rows.stop_row.empty() && row >= rows.stop_row)) return Status();
  const bool counted = sweep_->digest != nullptr;
  if (timestamp > sweep_->as_of) {
    if (!counted) ++sweep_->counts->younger;
    return {};
  }
  if (counted && sweep_->digest->IsEven(cell)) return {};
  if (!counted) ++sweep_->counts->cells;
  Item item{std::move(origin->unit), origin->by_value, IndexCell::Of(cell), timestamp};
  bytes_ += item.unit.row.size() + item.cell.HeldBytes();
  items_.push_back(std::move(item));
  return items_.size() < kMostItems && bytes_ < kMostItemBytes ? Status() : Flush();
}

Status Backward::Flush() {
  std::vector<Item*> order;
  for (Item& item : items_) order.push_back(&item);
  std::sort(order.begin(), order.end(), [](const Item* a, const Item* b) { return UnitBefore(a->unit, b->unit); });
  std::vector<store::GetRequest> requests;
  std::vector<std::vector<Item*>> of_request;
  for (Item* item : order) {
    if (of_request.empty() || !(of_request.back().front()->unit == item->unit)) {
      requests.push_back(UnitRequest(*sweep_->index, item->unit));
      of_request.emplace_back();
    }
    of_request.back().push_back(item);
  }
  FENSI_RETURN_IF_ERROR(
      GetEach(sweep_->store, sweep_->index->source_table(), requests,
              [&](size_t request, const store::Row& row) { return CheckUnit(row, of_request[request]); }));
  items_.clear();
  bytes_ = 0;
  return Status();
}

Status Backward::CheckUnit(const store::Row& row, const std::vector<Item*>& items) {
  if (NewestOf(*sweep_->index, row) > sweep_->as_of) {
    sweep_->counts->younger += static_cast<int64_t>(items.size());
    return {};
  }
  mapping::EntryList entries;
  derivation_.DeriveAll(row, &entries);
  const EntryMap by_cell(entries);
  for (Item* item : items) {
    if (by_cell.Find(item->cell.View())) continue;
    // M19: the value names the row and may be wrong, so all source rows must be read.
    if (item->by_value) {
      FENSI_RETURN_IF_ERROR(AddSuspect(item->cell.View(), item->timestamp));
      continue;
    }
    if (sweep_->judge->full()) FENSI_RETURN_IF_ERROR(sweep_->judge->Wait(false));
    sweep_->judge->Add(Judge::From::kIndex, item->unit, item->cell.View());
  }
  return Status();
}

Status Backward::Unknown(const mapping::Entry& cell, int64_t timestamp) {
  if (!options_.all_rows) {
    ++sweep_->counts->unattributed;
    return Status();
  }
  // Young cells are summed, too, because the source side sums them.
  if (sweep_->digest == nullptr) ++(timestamp > sweep_->as_of ? sweep_->counts->younger : sweep_->counts->cells);
  if (!options_.summed) return AddSuspect(cell, timestamp);
  orphans_.NoteFound(cell);
  return Status();
}

Status Backward::AddSuspect(const mapping::Entry& cell, int64_t timestamp) {
  if (timestamp > sweep_->as_of) return {};
  if (!options_.all_rows) {
    ++sweep_->counts->unattributed;
    return Status();
  }
  if (orphans_.AddSuspect(cell, timestamp)) return Status();
  too_many_ = true;
  return TooManyUnknownCells(orphans_.suspects());
}

Status Backward::ProveUnknown() {
  if (options_.summed && !orphans_.AllMatched()) {
    FENSI_RETURN_IF_ERROR(WalkIndex([this](const mapping::Entry& cell, int64_t timestamp) {
      return SourceOfEntry(*sweep_->index, cell) || !orphans_.MayBeOrphan(cell) ? Status()
                                                                                : AddSuspect(cell, timestamp);
    }));
  }
  if (orphans_.suspects() == 0) return Status();
  Forward again(sweep_);
  // M19: a second pass over the source, after the cell was seen.
  FENSI_RETURN_IF_ERROR(
      again.Derive([this](const SourceUnit&, const mapping::Entry& entry) { orphans_.Strike(entry); }));
  // M19: the index gets time to follow the end of that pass.
  FENSI_ASSIGN_OR_RETURN(const bool awaited,
                         AwaitIndex(options_.recheck, options_.followed, sweep_->clock, options_.go_on));
  if (awaited) sweep_->counts->awaited_mark = true;
  if (!again.met_younger()) return ReportLeft();
  // M19: a unit that changed since may have given any of these cells, so none is proved to be an orphan.
  sweep_->counts->unattributed += static_cast<int64_t>(orphans_.Left().size());
  return Status();
}

Status Backward::ReportLeft() {
  const std::vector<OrphanDetector::Suspect> left = orphans_.Left();
  std::vector<mapping::Entry> cells;
  for (const OrphanDetector::Suspect& suspect : left) cells.push_back(suspect.cell.View());
  Status told;
  CellReader reader(sweep_->index, sweep_->store);
  FENSI_RETURN_IF_ERROR(reader.Read(cells, [&](size_t place, const Cell* cell) {
    // M19: only the version that was seen is proved to be an orphan.
    const bool same = cell != nullptr && cell->timestamp == left[place].timestamp;
    if (!same) ++sweep_->counts->in_flight;
    if (!same || !told.ok()) return;
    Finding finding;
    finding.kind = Finding::Kind::kOrphan;
    finding.cell = left[place].cell;
    finding.found = ShownValue(cell->value);
    finding.timestamp = cell->timestamp;
    finding.seen = finding.confirmed = sweep_->clock->WallMillis();
    Count(finding.kind, sweep_->counts);
    told = sweep_->sink->Add(finding);
  }));
  return told;
}

}  // namespace fensi::sweep
