#include "indexer/plan/batch_rows.h"

#include "base/bytes.h"

namespace fensi::indexer {
namespace {

/// A delete of unknown kind without qualifier may have been one of a family.
bool MarksFamily(const Cell& cell) {
  return IsFamilyMarker(cell.type) || (cell.type == CellType::kUnknownDelete && cell.qualifier.empty());
}

/// Why an event cannot be applied by any index, or ok.
Status CheckEvent(const ChangeEvent& event) {
  if (event.row.empty() || event.row.size() > store::kMaxRowBytes) {
    return Status(StatusCode::kInvalidArgument, "the row key has " + std::to_string(event.row.size()) +
                                                    " bytes; HBase allows 1 to " + std::to_string(store::kMaxRowBytes));
  }
  for (const Cell& cell : event.cells) {
    if (cell.timestamp >= 0 && cell.timestamp <= kMaxTimestamp) continue;
    return Status(StatusCode::kInvalidArgument, "column " + ColumnText(cell.family, cell.qualifier) + ": timestamp " +
                                                    std::to_string(cell.timestamp) + " is outside 0 to " +
                                                    std::to_string(kMaxTimestamp));
  }
  return {};
}

}  // namespace

BatchRows::BatchRows(const mapping::Index* index, StateCache* cache)
    : index_(index), row_units_(index->state_unit() == mapping::StateUnit::kRow), cache_(cache) {}

void BatchRows::Add(const std::vector<consumer::Record>& records, std::vector<Report>* reports) {
  events_.reserve(records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    const consumer::Record& record = records[i];
    Status usable = record.decoded;
    if (usable.ok() && record.event.table != index_->source_table()) {
      ++skipped_;
      continue;
    }
    if (usable.ok()) usable = CheckEvent(record.event);
    if (usable.ok()) {
      AddEvent(i, record.event);
    } else {
      reports->push_back({i, usable.message()});
    }
  }
}

void BatchRows::AddEvent(size_t record, const ChangeEvent& event) {
  PlannedEvent planned{.record = record};
  for (const Cell& cell : event.cells) {
    if (MarksFamily(cell)) {
      if (index_->WatchesFamily(cell.family)) planned.markers.push_back(&cell);
    } else if (index_->Watches(cell.family, cell.qualifier)) {
      planned.cells.push_back(&cell);
    }
  }
  if (planned.cells.empty() && planned.markers.empty()) return;
  planned.row = FindRow(event.row);
  Need(planned);
  events_.push_back(std::move(planned));
}

RowWork* BatchRows::FindRow(const std::string& row) {
  if (auto found = rows_.find(row); found != rows_.end()) return found->second.get();
  auto work = std::make_unique<RowWork>();
  if (!cache_->Take(row, work.get())) work->row = row;
  RowWork* made = work.get();
  rows_.emplace(made->row, std::move(work));
  return made;
}

void BatchRows::Need(const PlannedEvent& event) {
  if (row_units_) {
    event.row->FindOrAdd("", "");
    return;
  }
  event.row->all_units |= !event.markers.empty();
  for (const Cell* cell : event.cells) event.row->FindOrAdd(cell->family, cell->qualifier);
}

UnitWork* BatchRows::Want(const std::string& row, const std::string& family, const std::string& qualifier) {
  return FindRow(row)->FindOrAdd(family, qualifier);
}

void BatchRows::Remember() {
  for (auto& [key, row] : rows_) {
    row->all_units = row->families_dirty = false;
    for (auto& [unit_key, work] : row->units) work.dirty = work.doubt_dirty = false;
    cache_->Put(std::move(*row));
  }
  rows_.clear();
}

}  // namespace fensi::indexer
