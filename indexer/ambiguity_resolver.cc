#include "indexer/ambiguity_resolver.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <tuple>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "indexer/state/unit.h"

namespace fensi::indexer {
namespace {

using Shown = RereadSchedule::Shown;

store::GetRequest SourceRequest(const mapping::Index& index, const Unit& unit) {
  store::GetRequest request{.row = unit.row};
  if (!unit.family.empty()) {
    request.columns.push_back({unit.family, unit.qualifier});
    return request;
  }
  for (const mapping::Watch& watch : index.watches()) {
    store::GetRequest::Column column{watch.family, {}};
    if (watch.kind == mapping::Watch::Kind::kColumn) column.qualifier = watch.qualifier;
    if (std::find(request.columns.begin(), request.columns.end(), column) == request.columns.end()) {
      request.columns.push_back(std::move(column));
    }
  }
  return request;
}

Snapshot SnapshotOf(const mapping::Index& index, const store::Row& row) {
  Snapshot snapshot;
  for (const Cell& cell : row.cells) {
    // M4 (b): source cells above the accepted times count as absent.
    if (cell.timestamp > kMaxSourceTime || !index.Watches(cell.family, cell.qualifier)) continue;
    snapshot.cells.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  }
  const auto column = [](const Snapshot::Cell& a) { return std::tie(a.family, a.qualifier); };
  std::sort(snapshot.cells.begin(), snapshot.cells.end(),
            [&](const auto& a, const auto& b) { return column(a) < column(b); });
  snapshot.cells.erase(std::unique(snapshot.cells.begin(), snapshot.cells.end(),
                                   [&](const auto& a, const auto& b) { return column(a) == column(b); }),
                       snapshot.cells.end());
  size_t bytes = 0;
  for (const Snapshot::Cell& cell : snapshot.cells) {
    bytes += 32 + cell.family.size() + cell.qualifier.size() + cell.value.size();
  }
  return bytes <= kMaxUnitBytes ? snapshot : Snapshot{.dropped = true};
}

/// M8: what the first read saw follows from what it stored: the snapshot, or the registers if both are the same. An
/// intent that was read meanwhile is neither.
Snapshot SeenFirst(const Unit& unit) {
  if (unit.doubt.active() && !unit.doubt.intent) return unit.doubt.snapshots.front();
  Visible visible;
  VisibleByRegisters(unit, *unit.families, &visible);
  return MakeSnapshot(visible);
}

std::string NewNonce() {
  std::random_device random;
  const uint64_t high = random(), low = random();
  std::string nonce;
  AppendBigEndian64(static_cast<int64_t>(high << 32 | low), &nonce);
  return nonce;
}

}  // namespace

AmbiguityResolver::AmbiguityResolver(const mapping::Index* index, store::Store* store, Clock* clock,
                                     std::atomic<int64_t>* source_reads, PhaseClock* phases, size_t read_bytes,
                                     StateWrites states)
    : index_(index),
      store_(store),
      source_reads_(source_reads),
      phases_(phases),
      read_bytes_(read_bytes),
      states_(states),
      nonce_(NewNonce()),
      planned_nonce_(NewNonce()),
      index_cells_(store),
      schedule_(clock),
      pace_(read_bytes) {}

void AmbiguityResolver::Begin(const consumer::Batch& batch, Log log) {
  schedule_.Begin(batch, log, index_->source_table());
  // M8: nothing of the batch before is left.
  waiting_.clear();
  later_.clear();
}

UnitWork* AmbiguityResolver::Find(BatchRows* rows, const Waiting& waiting) {
  RowWork* row = rows->FindRow(waiting.row);
  if (row == nullptr) return nullptr;
  const auto unit = row->units.find(UnitKey(waiting.family, waiting.qualifier));
  return unit == row->units.end() ? nullptr : &unit->second;
}

bool AmbiguityResolver::IsLoaded(BatchRows* rows, const Waiting& waiting) {
  const RowWork* row = rows->FindRow(waiting.row);
  return row != nullptr && row->loaded;
}

void AmbiguityResolver::BeginPiece(BatchRows* rows) {
  seen_bytes_ = 0;
  for (const Waiting& waiting : waiting_) {
    UnitWork* work = Find(rows, waiting);
    if (work == nullptr) continue;
    // M8: the unit stays ambiguous for the whole batch; an earlier piece read it already.
    work->second_look = true;
    work->recheck |= waiting.recheck;
  }
}

Result<bool> AmbiguityResolver::ReadSourceNow(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner) {
  std::vector<UnitWork*> doubtful;
  for (RowWork* row : rows->in_order()) {
    for (auto& [unit_key, work] : row->units) {
      if (work.doubtful) doubtful.push_back(&work);
    }
  }
  if (doubtful.empty()) return true;
  std::erase_if(waiting_, [rows](const Waiting& waiting) {
    const UnitWork* work = Find(rows, waiting);
    // M8: a unit in two pieces is re-read once.
    return work != nullptr && work->doubtful;
  });
  std::span<UnitWork* const> left = doubtful;
  for (const size_t seen_before = seen_bytes_; !left.empty() && seen_bytes_ - seen_before < read_bytes_;) {
    Reads seen;
    FENSI_RETURN_IF_ERROR(ReadSource(left.first(std::min(left.size(), pace_.rows())), &seen));
    const std::span<UnitWork* const> some = left.first(seen.points.size());
    left = left.subspan(some.size());
    FENSI_RETURN_IF_ERROR(AwaitShown(batch, some, &seen));
    FENSI_RETURN_IF_ERROR(Finish(Look::kFirst, some, &seen.snapshots, planner));
    for (size_t i = 0; i < some.size(); ++i) {
      UnitWork* work = some[i];
      const bool is_open = schedule_.log() == Log::kRequests
                               ? work->unit.doubt.active()  // M15: a request says nothing about when the source changed
                               : schedule_.Judge(seen.points[i], batch.records[work->record]) != Shown::kAll;
      // M8: an old event does not cancel the re-read of a young one.
      work->second_look |= is_open;
      if (!work->second_look) continue;
      waiting_.push_back({work->unit.row, work->unit.family, work->unit.qualifier, work->record, work->recheck});
    }
  }
  return left.empty();
}

Status AmbiguityResolver::AwaitShown(const consumer::Batch& batch, std::span<UnitWork* const> units, Reads* reads) {
  const auto late = [&] {
    std::vector<size_t> places;
    for (size_t i = 0; i < reads->points.size(); ++i) {
      const consumer::Record& record = batch.records[units[i]->record];
      if (schedule_.Judge(reads->points[i], record) == Shown::kNotYet) places.push_back(i);
    }
    return places;
  };
  return schedule_.AwaitShown(late, [&](const std::vector<size_t>& places) -> Status {
    std::vector<UnitWork*> some;
    for (const size_t place : places) some.push_back(units[place]);
    Reads again;
    FENSI_RETURN_IF_ERROR(ReadSource(some, &again));
    for (size_t i = 0; i < again.points.size(); ++i) {
      reads->snapshots[places[i]] = std::move(again.snapshots[i]);
      reads->points[places[i]] = std::move(again.points[i]);
    }
    return {};
  });
}

std::optional<std::chrono::milliseconds> AmbiguityResolver::second_look() const {
  if (waiting_.empty()) return std::nullopt;
  return schedule_.due();
}

void AmbiguityResolver::EndRereads() {
  waiting_ = std::exchange(later_, {});
  schedule_.EndRound();
}

void AmbiguityResolver::AddRows(BatchRows* rows) {
  const auto end = waiting_.begin() + static_cast<ptrdiff_t>(std::min(waiting_.size(), pace_.rows()));
  looking_.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  for (const Waiting& waiting : looking_) rows->Want(waiting.row, waiting.family, waiting.qualifier);
}

Status AmbiguityResolver::RereadSource(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner) {
  const auto unknown = std::stable_partition(looking_.begin(), looking_.end(),
                                             [&](const Waiting& waiting) { return IsLoaded(rows, waiting); });
  std::vector<UnitWork*> units;
  std::for_each(looking_.begin(), unknown, [&](const Waiting& waiting) {
    units.push_back(Find(rows, waiting));
    units.back()->record = waiting.record;
    units.back()->recheck = waiting.recheck;
  });
  Reads seen;
  FENSI_RETURN_IF_ERROR(ReadSource(units, &seen));
  FENSI_RETURN_IF_ERROR(AwaitShown(batch, units, &seen));
  std::vector<UnitWork*> moved;
  std::vector<Snapshot> now;
  for (size_t i = 0; i < seen.points.size(); ++i) {
    Unit& unit = units[i]->unit;
    if (schedule_.NeedsNextRound(seen.points[i], batch.records[units[i]->record])) {
      later_.push_back(std::move(looking_[i]));
      continue;
    }
    Snapshot first = SeenFirst(unit);
    if (seen.snapshots[i] == first) continue;
    // M8: the entries that the first read left are removal candidates, also if the registers agree with it.
    units[i]->AddSeen(std::move(first), UnitPlanner::LookVersion(*units[i], Look::kFirst));
    moved.push_back(units[i]);
    now.push_back(std::move(seen.snapshots[i]));
  }
  const auto left = looking_.begin() + static_cast<ptrdiff_t>(seen.points.size());
  waiting_.insert(waiting_.begin(), std::make_move_iterator(left), std::make_move_iterator(looking_.end()));
  looking_.clear();
  return Finish(Look::kSecond, moved, &now, planner);
}

Status AmbiguityResolver::ReadSource(std::span<UnitWork* const> units, Reads* reads) {
  const InPhase phase(phases_, Phase::kReadSource);
  std::vector<store::GetRequest> requests;
  for (const UnitWork* work : units) {
    requests.push_back(SourceRequest(*index_, work->unit));
    requests.back().read_point = schedule_.asks_for_points();
  }
  // M7: at most `read_bytes_` at once; the rest waits for the next round.
  FENSI_ASSIGN_OR_RETURN(std::vector<store::Row> answers,
                         store_->GetSome(index_->source_table(), requests, read_bytes_));
  *source_reads_ += static_cast<int64_t>(answers.size());
  size_t bytes = 0;
  for (store::Row& row : answers) {
    bytes += store::HeldBytes(row);
    reads->snapshots.push_back(SnapshotOf(*index_, row));
    reads->points.push_back(std::move(row.read_point));
    store::Row().cells.swap(row.cells);  // not both at a time
  }
  pace_.NoteRows(answers.size(), bytes);
  seen_bytes_ += bytes;
  return {};
}

Status AmbiguityResolver::LoadUnitsFromSource(BatchRows* rows) {
  const InPhase phase(phases_, Phase::kReadSource);
  std::vector<RowWork*> wanted;
  std::vector<store::GetRequest> requests;
  for (RowWork* row : rows->in_order()) {
    if (!row->loaded || !row->from_source) continue;
    wanted.push_back(row);
    requests.push_back(SourceRequest(*index_, Unit{.row = row->row}));
  }
  for (size_t done = 0; done < wanted.size();) {
    const auto left = std::span(requests).subspan(done);
    const Result<std::vector<store::Row>> answers =
        store_->GetSome(index_->source_table(), left.first(std::min(left.size(), pace_.rows())), read_bytes_);
    FENSI_RETURN_IF_ERROR(answers.status());
    *source_reads_ += static_cast<int64_t>(answers->size());
    for (const store::Row& answer : *answers) {
      RowWork* row = wanted[done++];
      for (const Cell& cell : answer.cells) {
        // The row's states are all known, so a unit that is not there has none.
        if (index_->Watches(cell.family, cell.qualifier)) row->FindOrAdd(cell.family, cell.qualifier)->known = true;
      }
    }
  }
  return {};
}

Status AmbiguityResolver::Raise(Look look, std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots,
                                UnitPlanner* planner) {
  const InPhase phase(phases_, Phase::kReadSource);
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i]->recheck) FENSI_RETURN_IF_ERROR(RaiseOne(look, units[i], &(*snapshots)[i], planner));
  }
  return {};
}

/// M14: the cell at a unique key may belong to the row that has the key next. If the source still shows the key after
/// that read, the next row came later and its entry is higher. A row that changed in each of five tries is repaired by
/// its own events.
Status AmbiguityResolver::RaiseOne(Look look, UnitWork* work, Snapshot* seen, UnitPlanner* planner) {
  constexpr int kTries = 5;
  std::vector<int64_t> newest;
  for (int tried = 0; tried < kTries; ++tried) {
    EntrySet cells;
    planner->AddCellsOfRecheck(*seen, work, &cells);
    FENSI_RETURN_IF_ERROR(index_cells_.ReadNewest(cells.list(), &newest));
    Reads now;
    if (index_->unique()) FENSI_RETURN_IF_ERROR(ReadSource({&work, 1}, &now));
    if (now.snapshots.empty() || now.snapshots.front() == *seen) {
      planner->RaiseRechecked(cells.list(), newest, look, work);
      return {};
    }
    *seen = std::move(now.snapshots.front());
  }
  return {};
}

Status AmbiguityResolver::Finish(Look look, std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots,
                                 UnitPlanner* planner) {
  if (units.empty()) return {};
  // M14: rechecked units go above every put and marker at their index cells.
  FENSI_RETURN_IF_ERROR(Raise(look, units, snapshots, planner));
  const InPhase phase(phases_, Phase::kWriteIntents);
  InOrder intents;
  for (size_t i = 0; i < units.size(); ++i) {
    std::vector<Snapshot> shown;
    if (index_->unique()) AddPlanned(units[i], &intents);
    if (!index_->unique()) shown = units[i]->planned;
    shown.push_back((*snapshots)[i]);
    states_.AddIntent(nonce_, std::move(shown), UnitPlanner::LookVersion(*units[i], look), units[i], &intents);
  }
  // M8.1: durable before FinishDoubt plans the entries.
  FENSI_RETURN_IF_ERROR(WriteIntents(intents));
  for (size_t i = 0; i < units.size(); ++i) planner->FinishDoubt((*snapshots)[i], look, units[i]);
  return {};
}

Status AmbiguityResolver::Announce(BatchRows* rows) {
  InOrder intents;
  Visible visible;
  for (RowWork* row : rows->in_order()) {
    for (auto& [unit_key, work] : row->units) {
      const Unit& unit = work.unit;
      if (work.doubtful && index_->unique()) {
        AddPlanned(&work, &intents);
      } else if (work.doubtful && !work.planned.empty()) {
        // One below the version of the first read, which is still to come.
        states_.AddIntent(nonce_, work.planned, UnitPlanner::LookVersion(work, Look::kFirst) - 1, &work, &intents);
      } else if (unit.doubted && work.dirty && !work.doubtful && !work.doubt_dirty) {
        VisibleByRegisters(unit, *unit.families, &visible);
        states_.AddIntent(nonce_, {MakeSnapshot(visible)}, unit.version, &work, &intents);
      }
    }
  }
  if (intents.then.empty()) return {};
  const InPhase phase(phases_, Phase::kWriteIntents);
  return WriteIntents(intents);
}

void AmbiguityResolver::AddPlanned(UnitWork* work, InOrder* intents) const {
  if (!work->planned.empty()) states_.AddIntent(planned_nonce_, work->planned, work->planned_at, work, intents);
}

Status AmbiguityResolver::WriteIntents(const InOrder& intents) {
  FENSI_RETURN_IF_ERROR(PutAll(intents.first));
  return PutAll(intents.then);
}

Status AmbiguityResolver::PutAll(const std::vector<store::RowMutation>& rows) {
  if (rows.empty()) return {};
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::RejectedRow> written, store_->Put(index_->state_table(), rows));
  return written.empty() ? Status() : states_.Refusal(index_->state_table(), rows, "intent", written.front());
}

Status AmbiguityResolver::DeleteIntents(BatchRows* rows) {
  InOrder settled;
  for (RowWork* row : rows->in_order()) {
    if (row->complete()) states_.AddSettled(row, &settled);
  }
  if (settled.first.empty() && settled.then.empty()) return {};
  const InPhase phase(phases_, Phase::kWriteIntents);
  FENSI_RETURN_IF_ERROR(DeleteAll(settled.first));
  return DeleteAll(settled.then);
}

Status AmbiguityResolver::DeleteAll(const std::vector<store::RowMutation>& rows) {
  if (rows.empty()) return {};
  return store_->Delete(index_->state_table(), rows).status();
}

}  // namespace fensi::indexer
