#include "indexer/maintainer.h"

#include <algorithm>
#include <tuple>

#include "base/bytes.h"
#include "indexer/tables.h"

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
  return snapshot;
}

std::optional<int64_t> StateTtl(const mapping::Index& index) {
  std::optional<int64_t> ttl = SourceTtlMillis(index);
  if (ttl) *ttl += kReplayWindowMillis;
  return ttl;
}

}  // namespace

Maintainer::Maintainer(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment, bool fresh)
    : context_(context),
      assignment_(std::move(assignment)),
      row_units_(context.index->state_unit() == mapping::StateUnit::kRow),
      state_ttl_(StateTtl(*context.index)),
      writer_(context.index, context.store, assignment_.get()),
      cache_(context.cache_bytes),
      seen_(fresh ? std::make_unique<SeenFilter>(context.seen_filter_bytes) : nullptr) {}

Status Maintainer::Apply(const consumer::Batch& batch) {
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  std::vector<Report> reports;
  BatchRows rows(context_.index, &cache_);
  rows.Add(batch.records, &reports);
  FENSI_RETURN_IF_ERROR(LoadStates(&rows));

  ChangeSet changes;
  BatchPlanner planner(context_.index, context_.read_source, &changes, &reports);
  planner.units()->set_window(PeriodWindow(*context_.index, context_.clock->WallMillis()));
  for (const PlannedEvent& event : rows.events()) planner.Plan(event, batch.records[event.record].event.sequence_id);
  FENSI_RETURN_IF_ERROR(FinishDoubts(&rows, planner.units()));

  FENSI_RETURN_IF_ERROR(WriteIndex(&changes, &reports));
  FENSI_RETURN_IF_ERROR(SendDeadLetters(batch, reports));
  FENSI_RETURN_IF_ERROR(WriteStates(&rows));
  rows.Remember();
  context_.counters->events += static_cast<int64_t>(batch.records.size());
  context_.counters->skipped += static_cast<int64_t>(rows.skipped());
  ++context_.counters->batches;
  return {};
}

Status Maintainer::LoadStates(BatchRows* rows) {
  std::vector<store::GetRequest> requests;
  std::vector<RowWork*> waiting;
  store::GetRequest request;
  for (auto& [key, row] : rows->rows()) {
    if (SurelyUnknown(*row)) {
      row->families_known = true;
      for (auto& [unit_key, work] : row->units) work.known = true;
    } else if (MissingState(*row, row_units_, &request)) {
      requests.push_back(request);
      waiting.push_back(row.get());
    }
    if (seen_ != nullptr) MarkSeen(*row);
  }
  if (requests.empty()) return {};
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  Result<std::vector<store::Row>> answers = context_.store->Get(context_.index->state_table(), requests);
  FENSI_RETURN_IF_ERROR(answers.status());
  context_.counters->state_reads += static_cast<int64_t>(requests.size());
  for (size_t i = 0; i < waiting.size(); ++i) FENSI_RETURN_IF_ERROR(TakeState((*answers)[i], row_units_, waiting[i]));
  return {};
}

bool Maintainer::SurelyUnknown(const RowWork& row) const {
  if (seen_ == nullptr) return false;
  if (!seen_->MayContain(SeenHash(row.row))) return true;
  if (row_units_ || row.all_units || !row.families_known) return false;
  return std::all_of(row.units.begin(), row.units.end(), [&](const auto& unit) {
    return unit.second.known || !seen_->MayContain(SeenHash(row.row, unit.first));
  });
}

void Maintainer::MarkSeen(const RowWork& row) {
  seen_->Add(SeenHash(row.row));
  if (row_units_) return;
  for (const auto& [key, work] : row.units) seen_->Add(SeenHash(row.row, key));
}

Status Maintainer::FinishDoubts(BatchRows* rows, UnitPlanner* planner) {
  std::vector<UnitWork*> doubtful;
  for (auto& [key, row] : rows->rows()) {
    for (auto& [unit_key, work] : row->units) {
      if (work.doubtful) doubtful.push_back(&work);
    }
  }
  if (doubtful.empty()) return {};
  std::vector<Snapshot> snapshots;
  FENSI_RETURN_IF_ERROR(ReadSource(doubtful, &snapshots));
  std::vector<store::RowMutation> intents;
  for (size_t i = 0; i < doubtful.size(); ++i) {
    const UnitWork& work = *doubtful[i];
    intents.push_back(IntentMutation(work.unit.row, UnitKey(work.unit.family, work.unit.qualifier),
                                     planner->Intent(work, snapshots[i]), planner->DoubtVersion(work)));
  }
  FENSI_RETURN_IF_ERROR(WriteStateRows(intents));
  for (size_t i = 0; i < doubtful.size(); ++i) planner->FinishDoubt(snapshots[i], doubtful[i]);
  return {};
}

Status Maintainer::ReadSource(const std::vector<UnitWork*>& doubtful, std::vector<Snapshot>* snapshots) {
  std::vector<store::GetRequest> requests;
  for (const UnitWork* work : doubtful) requests.push_back(SourceRequest(*context_.index, work->unit));
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  Result<std::vector<store::Row>> answers = context_.store->Get(context_.index->source_table(), requests);
  FENSI_RETURN_IF_ERROR(answers.status());
  context_.counters->source_reads += static_cast<int64_t>(requests.size());
  for (const store::Row& row : *answers) snapshots->push_back(SnapshotOf(*context_.index, row));
  return {};
}

Status Maintainer::WriteIndex(ChangeSet* changes, std::vector<Report>* reports) {
  const int64_t puts = writer_.puts(), deletes = writer_.deletes();
  FENSI_RETURN_IF_ERROR(writer_.Write(changes, reports));
  context_.counters->puts += writer_.puts() - puts;
  context_.counters->deletes += writer_.deletes() - deletes;
  return {};
}

Status Maintainer::WriteStates(BatchRows* rows) {
  std::vector<store::RowMutation> mutations;
  for (const auto& [key, row] : rows->rows()) AddStateMutation(*row, row_units_, state_ttl_, &mutations);
  return WriteStateRows(mutations);
}

Status Maintainer::WriteStateRows(const std::vector<store::RowMutation>& mutations) {
  if (mutations.empty()) return {};
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  const std::string& table = context_.index->state_table();
  Result<std::vector<store::RejectedRow>> written = context_.store->Put(table, mutations);
  FENSI_RETURN_IF_ERROR(written.status());
  if (written->empty()) return {};
  // Without its state a row would not be exact any more: better to stop.
  const store::RejectedRow& rejected = written->front();
  return Status(StatusCode::kConfiguration, "state table " + table + " refuses the state of row " +
                                                Escape(mutations[rejected.index].row) + ": " +
                                                rejected.reason.message());
}

Status Maintainer::SendDeadLetters(const consumer::Batch& batch, const std::vector<Report>& reports) {
  if (reports.empty()) return {};
  for (const Report& report : reports) {
    const consumer::Record& record = batch.records[report.record];
    FENSI_RETURN_IF_ERROR(context_.dead_letters->Send({context_.index->name(), report.reason, batch.assignment->topic(),
                                                       batch.assignment->partition(), record.offset, record.event.row,
                                                       std::string(record.key), std::string(record.value)}));
  }
  context_.counters->dead_letters += static_cast<int64_t>(reports.size());
  return context_.dead_letters->Flush();
}

}  // namespace fensi::indexer
