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

size_t BatchRows::Add(const std::vector<consumer::Record>& records, size_t first, const ReadSizer& pace,
                      std::vector<Letter>* letters, Requests requests) {
  constexpr size_t kMany = 1024;
  events_.reserve(std::min(records.size() - first, kMany));
  for (size_t i = first; i < records.size(); ++i) {
    if (units_to_read_ >= pace.units() || rows_to_read_ >= pace.rows()) return i;
    const consumer::Record& record = records[i];
    if (!Concerns(*index_, record)) continue;
    if (const Status usable = CheckRecord(*index_, record); usable.ok()) {
      AddEvent(i, record.event, requests.empty() ? nullptr : requests[i], letters);
    } else {
      letters->push_back({i, usable.message(), LetterKind::kUndecodable});
    }
  }
  return records.size();
}

void BatchRows::AddEvent(size_t record, const ChangeEvent& event, const consumer::Request* request,
                         std::vector<Letter>* letters) {
  using Cells = std::pmr::vector<const Cell*>;
  PlannedEvent planned{.record = record, .cells = Cells(&memory_), .markers = Cells(&memory_), .request = request};
  for (const Cell& cell : event.cells) {
    if (!Touches(*index_, cell)) continue;
    const Cell* taken = IsTooNew(cell) ? &lowered_.emplace_back(Lowered(cell, record, letters)) : &cell;
    (MarksFamily(cell) ? planned.markers : planned.cells).push_back(taken);
  }
  if (request == nullptr && planned.cells.empty() && planned.markers.empty()) return;
  planned.row = FindOrAddRow(event.row);
  Need(&planned);
  events_.push_back(std::move(planned));
}

RowWork* BatchRows::FindRow(std::string_view row) const {
  const auto found = rows_.find(row);
  return found == rows_.end() ? nullptr : found->second.get();
}

RowWork* BatchRows::FindOrAddRow(const std::string& row) {
  if (RowWork* known = FindRow(row)) return known;
  void* place = memory_.allocate(sizeof(RowWork), alignof(RowWork));
  OwnedRow work(new (place) RowWork{
      .row = row,
      .families = std::allocate_shared<FamilyStates>(std::pmr::polymorphic_allocator<FamilyStates>(&memory_)),
      .units = decltype(RowWork::units)(&memory_)});
  if (seen_ != nullptr) work->seen_hash = SeenHash(row);
  work->surely_new = seen_ != nullptr && !seen_->MayContain(work->seen_hash);
  if (!row_units_) work->families_known = cache_->TakeFamilies(row, work->families.get());
  RowWork* made = work.get();
  rows_.emplace(made->row, std::move(work));
  in_order_.push_back(made);
  return made;
}

void BatchRows::Need(PlannedEvent* event) {
  if (row_units_) {
    event->unit = NeedUnit(event->row, "", "");
    return;
  }
  if (event->concerns_all() && !event->row->all_units) {
    event->row->all_units = true;
    rows_to_read_ += event->row->surely_new ? 0 : 1;
  }
  NeedColumns(event);
}

void BatchRows::NeedColumns(PlannedEvent* event) {
  UnitWork* last = nullptr;
  for (const Cell* cell : event->cells) last = NeedUnit(event->row, cell->family, cell->qualifier);
  if (event->cells.size() == 1 && !event->concerns_all()) event->unit = last;
  if (event->request == nullptr || event->request->kind != consumer::Request::Kind::kRecheck) return;
  event->row->from_source |= event->request->columns.empty();
  for (const consumer::RequestedColumn& column : event->request->columns) {
    if (index_->Watches(column.family, column.qualifier)) NeedUnit(event->row, column.family, column.qualifier);
  }
}

UnitWork* BatchRows::NeedUnit(RowWork* row, std::string_view family, std::string_view qualifier) {
  const auto [place, added] = row->Add(family, qualifier);
  const auto& key = place->first;
  UnitWork* work = &place->second;
  if (!added) return work;
  work->known = cache_->TakeUnit(row->row, key, &work->unit);
  if (work->known) work->NoteLoaded();
  if (work->known && row_units_) row->families_known = true;
  if (work->known || row->surely_new) return work;
  if (seen_ == nullptr || seen_->MayContain(SeenHash(row->seen_hash, key))) ++units_to_read_;
  return work;
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
  for (RowWork* row : in_order_) {
    if (!row->complete()) continue;
    row->families_dirty = false;
    for (auto& [unit_key, work] : row->units) {
      work.dirty = work.doubt_dirty = false;
      work.planned.clear();
    }
  }
}

UnitWork* BatchRows::Want(const std::string& row, const std::string& family, const std::string& qualifier) {
  return NeedUnit(FindOrAddRow(row), family, qualifier);
}

void BatchRows::Remember() {
  for (RowWork* row : in_order_) {
    if (!row->complete()) continue;
    for (auto& [unit_key, work] : row->units) {
      // M8.1: never cache a unit with open intents or a damaged state. Settled intents must be removed, and only a read
      // of the state table finds them.
      if (work.known && work.damage.empty() && !work.unit.doubt.intent) cache_->PutUnit(row->row, unit_key, work.unit);
    }
    if (!row_units_ && row->families_known && row->families_damage.empty())
      cache_->PutFamilies(row->row, *row->families);
  }
  std::erase_if(in_order_, [](const RowWork* row) { return row->complete(); });
  absl::erase_if(rows_, [](const auto& row) { return row.second->complete(); });
}

}  // namespace fensi::indexer
