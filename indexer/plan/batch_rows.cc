#include "indexer/plan/batch_rows.h"

#include <algorithm>

#include "indexer/plan/event_check.h"

namespace fensi::indexer {

BatchRows::BatchRows(const mapping::Index* index, StateCache* cache, const SeenFilter* seen)
    : index_(index), row_units_(index->state_scope() == mapping::StateScope::kRow), cache_(cache), seen_(seen) {}

bool PlannedEvent::concerns_all() const {
  if (!markers.empty()) return true;
  if (request == nullptr) return false;
  // A whole image tells of every column, also by what it does not show.
  return request->kind == consumer::Request::Kind::kImage ? !request->partial : request->columns.empty();
}

size_t BatchRows::Add(const std::vector<consumer::Record>& records, size_t first, const ReadPace& pace,
                      std::vector<Letter>* letters, Requests requests) {
  for (size_t i = first; i < records.size(); ++i) {
    if (units_to_read_ >= pace.units() || rows_to_read_ >= pace.rows()) return i;
    const consumer::Record& record = records[i];
    if (!Concerns(*index_, record)) continue;
    if (const Status usable = CheckRecord(record); usable.ok()) {
      AddEvent(i, record.event, requests.empty() ? nullptr : requests[i]);
    } else {
      letters->push_back({i, usable.message(), LetterKind::kUndecodable});
    }
  }
  return records.size();
}

void BatchRows::AddEvent(size_t record, const ChangeEvent& event, const consumer::Request* request) {
  PlannedEvent planned{.record = record, .request = request};
  for (const Cell& cell : event.cells) {
    if (MarksFamily(cell)) {
      if (index_->WatchesFamily(cell.family)) planned.markers.push_back(&cell);
    } else if (index_->Watches(cell.family, cell.qualifier)) {
      planned.cells.push_back(&cell);
    }
  }
  if (request == nullptr && planned.cells.empty() && planned.markers.empty()) return;
  planned.row = FindRow(event.row);
  Need(planned);
  events_.push_back(std::move(planned));
}

RowWork* BatchRows::FindRow(const std::string& row) {
  if (auto found = rows_.find(row); found != rows_.end()) return found->second.get();
  auto work = std::make_unique<RowWork>();
  work->row = row;
  work->surely_new = seen_ != nullptr && !seen_->MayContain(SeenHash(row));
  if (!row_units_) work->families_known = cache_->TakeFamilies(row, &work->families);
  RowWork* made = work.get();
  rows_.emplace(made->row, std::move(work));
  in_order_.push_back(made);
  return made;
}

void BatchRows::Need(const PlannedEvent& event) {
  if (row_units_) return NeedUnit(event.row, "", "");
  if (event.concerns_all() && !event.row->all_units) {
    event.row->all_units = true;
    rows_to_read_ += event.row->surely_new ? 0 : 1;
  }
  for (const Cell* cell : event.cells) NeedUnit(event.row, cell->family, cell->qualifier);
  if (event.request == nullptr || event.request->kind != consumer::Request::Kind::kRecheck) return;
  event.row->from_source |= event.request->columns.empty();
  for (const consumer::RequestedColumn& column : event.request->columns) {
    if (index_->Watches(column.family, column.qualifier)) NeedUnit(event.row, column.family, column.qualifier);
  }
}

void BatchRows::NeedUnit(RowWork* row, std::string_view family, std::string_view qualifier) {
  bool added = false;
  UnitWork* work = row->FindOrAdd(family, qualifier, &added);
  if (!added) return;
  const std::string key = UnitKey(family, qualifier);
  work->known = cache_->TakeUnit(row->row, key, &work->unit);
  if (work->known && row_units_) {
    row->families = work->unit.families;
    row->families_known = true;
  }
  const bool new_unit = row->surely_new || (seen_ != nullptr && !seen_->MayContain(SeenHash(row->row, key)));
  if (!work->known && !new_unit) ++units_to_read_;
}

void BatchRows::LeaveOutUnknown(size_t* next) {
  const auto unknown = [](const PlannedEvent& event) { return !event.row->loaded; };
  LeaveOutFrom(static_cast<size_t>(std::find_if(events_.begin(), events_.end(), unknown) - events_.begin()), next);
}

void BatchRows::LeaveOutFrom(size_t event, size_t* next) {
  if (event >= events_.size()) return;
  *next = events_[event].record;
  events_.erase(events_.begin() + static_cast<ptrdiff_t>(event), events_.end());
}

void BatchRows::SetClean() {
  for (auto& [key, row] : rows_) {
    if (!row->complete()) continue;
    row->families_dirty = false;
    for (auto& [unit_key, work] : row->units) {
      work.dirty = work.doubt_dirty = false;
      work.planned.clear();
    }
  }
}

UnitWork* BatchRows::Want(const std::string& row, const std::string& family, const std::string& qualifier) {
  RowWork* work = FindRow(row);
  NeedUnit(work, family, qualifier);
  return work->FindOrAdd(family, qualifier);
}

void BatchRows::Remember() {
  for (RowWork* row : in_order_) {
    if (!row->complete()) continue;
    for (auto& [unit_key, work] : row->units) {
      // Its intents are to be removed once they are settled: they are known from reading alone.
      if (work.known && !work.unit.doubt.intent) cache_->PutUnit(row->row, unit_key, std::move(work.unit));
    }
    if (!row_units_ && row->families_known) cache_->PutFamilies(row->row, std::move(row->families));
  }
  std::erase_if(in_order_, [](const RowWork* row) { return row->complete(); });
  std::erase_if(rows_, [](const auto& row) { return row.second->complete(); });
}

}  // namespace fensi::indexer
