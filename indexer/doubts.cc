#include "indexer/doubts.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <tuple>

#include "base/bytes.h"
#include "indexer/state/state_table.h"
#include "indexer/state/unit_bounds.h"

namespace fensi::indexer {
namespace {

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
    if (!index.Watches(cell.family, cell.qualifier)) continue;
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

/// What the first look saw follows from what it left: the snapshot, or the registers where they say the same.
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

Status Refused(const std::string& table, const store::RowMutation& row, const Status& reason) {
  return Status(StatusCode::kConfiguration,
                "state table " + table + " refuses the intent of row " + Escape(row.row) + ": " + reason.message());
}

}  // namespace

Doubts::Doubts(const mapping::Index* index, store::Store* store, Clock* clock, const consumer::Assignment* assignment,
               std::atomic<int64_t>* source_reads)
    : index_(index),
      store_(store),
      clock_(clock),
      assignment_(assignment),
      source_reads_(source_reads),
      nonce_(NewNonce()) {}

void Doubts::Begin() {
  received_ = clock_->SinceBoot();
  waiting_.clear();
}

UnitWork* Doubts::Find(BatchRows* rows, const Waiting& waiting) {
  const auto row = rows->rows().find(waiting.row);
  if (row == rows->rows().end()) return nullptr;
  const auto unit = row->second->units.find(UnitKey(waiting.family, waiting.qualifier));
  return unit == row->second->units.end() ? nullptr : &unit->second;
}

void Doubts::MarkWaiting(BatchRows* rows) const {
  for (const Waiting& waiting : waiting_) {
    if (UnitWork* work = Find(rows, waiting)) work->second_look = true;
  }
}

Status Doubts::LookFirst(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner) {
  std::vector<UnitWork*> doubtful;
  for (auto& [key, row] : rows->rows()) {
    for (auto& [unit_key, work] : row->units) {
      if (work.doubtful) doubtful.push_back(&work);
    }
  }
  if (doubtful.empty()) return {};
  std::erase_if(waiting_, [rows](const Waiting& waiting) {
    const UnitWork* work = Find(rows, waiting);
    return work != nullptr && work->doubtful;
  });
  for (std::span<UnitWork* const> left = doubtful; !left.empty();) {
    const std::span<UnitWork* const> some = left.first(std::min(left.size(), pace_.rows()));
    left = left.subspan(some.size());
    std::vector<Snapshot> seen;
    FENSI_RETURN_IF_ERROR(ReadSource(some, &seen));
    FENSI_RETURN_IF_ERROR(Finish(Look::kFirst, some, seen, planner));
  }
  for (UnitWork* work : doubtful) {
    work->second_look |= Young(batch.records[work->record]);
    if (!work->second_look) continue;
    waiting_.push_back({work->unit.row, work->unit.family, work->unit.qualifier, work->record});
  }
  return {};
}

bool Doubts::Young(const consumer::Record& record) const {
  return record.broker_time == 0 || clock_->WallMillis() - record.broker_time < kSurelyShownMillis;
}

std::optional<std::chrono::milliseconds> Doubts::second_look() const {
  if (waiting_.empty()) return std::nullopt;
  return received_ + kShownAfter;
}

void Doubts::AddRows(BatchRows* rows) {
  const auto end = waiting_.begin() + static_cast<ptrdiff_t>(std::min(waiting_.size(), pace_.rows()));
  looking_.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  for (const Waiting& waiting : looking_) rows->Want(waiting.row, waiting.family, waiting.qualifier);
}

Status Doubts::LookAgain(BatchRows* rows, UnitPlanner* planner) {
  std::vector<UnitWork*> units;
  for (const Waiting& waiting : looking_) units.push_back(rows->Want(waiting.row, waiting.family, waiting.qualifier));
  std::vector<Snapshot> seen;
  FENSI_RETURN_IF_ERROR(ReadSource(units, &seen));
  std::vector<UnitWork*> moved;
  std::vector<Snapshot> now;
  for (size_t i = 0; i < units.size(); ++i) {
    Unit& unit = units[i]->unit;
    Snapshot first = SeenFirst(unit);
    if (seen[i] == first && !unit.doubt.intent) continue;
    units[i]->record = looking_[i].record;
    unit.doubt.Add(std::move(first));
    moved.push_back(units[i]);
    now.push_back(std::move(seen[i]));
  }
  return Finish(Look::kSecond, moved, now, planner);
}

Status Doubts::ReadSource(std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots) {
  std::vector<store::GetRequest> requests;
  for (const UnitWork* work : units) requests.push_back(SourceRequest(*index_, work->unit));
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  Result<std::vector<store::Row>> answers = store_->Get(index_->source_table(), requests);
  FENSI_RETURN_IF_ERROR(answers.status());
  *source_reads_ += static_cast<int64_t>(requests.size());
  size_t bytes = 0;
  for (store::Row& row : *answers) {
    for (const Cell& cell : row.cells) bytes += sizeof cell + cell.qualifier.size() + cell.value.size();
    snapshots->push_back(SnapshotOf(*index_, row));
    store::Row().cells.swap(row.cells);  // not both at a time
  }
  pace_.NoteRows(requests.size(), bytes);
  return {};
}

Status Doubts::Finish(Look look, std::span<UnitWork* const> units, const std::vector<Snapshot>& snapshots,
                      UnitPlanner* planner) {
  if (units.empty()) return {};
  std::vector<store::RowMutation> intents;
  for (size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i]->unit;
    Cell intent = IntentCell(nonce_, unit, snapshots[i], UnitPlanner::LookVersion(*units[i], look));
    units[i]->intents.push_back({intent.family, intent.qualifier, intent.timestamp});
    intents.push_back({unit.row, {std::move(intent)}});
  }
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  const Result<std::vector<store::RejectedRow>> written = store_->Put(index_->state_table(), intents);
  FENSI_RETURN_IF_ERROR(written.status());
  if (!written->empty()) {
    return Refused(index_->state_table(), intents[written->front().index], written->front().reason);
  }
  for (size_t i = 0; i < units.size(); ++i) planner->FinishDoubt(snapshots[i], look, units[i]);
  return {};
}

Status Doubts::ForgetIntents(BatchRows* rows) {
  std::vector<store::RowMutation> settled;
  for (auto& [key, row] : rows->rows()) {
    store::RowMutation mutation{row->row, {}};
    for (auto& [unit_key, work] : row->units) {
      if (work.unit.doubt.intent) continue;  // they still count
      for (Cell& intent : work.intents) {
        intent.type = CellType::kDeleteColumn;
        intent.value.clear();
        mutation.cells.push_back(std::move(intent));
      }
      work.intents.clear();
    }
    if (!mutation.cells.empty()) settled.push_back(std::move(mutation));
  }
  if (settled.empty()) return {};
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  return store_->Delete(index_->state_table(), settled).status();
}

}  // namespace fensi::indexer
