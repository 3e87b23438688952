#include "indexer/maintainer.h"

#include <algorithm>

#include "base/bytes.h"
#include "indexer/tables.h"

namespace fensi::indexer {
namespace {

std::optional<int64_t> StateTtl(const mapping::Index& index) {
  std::optional<int64_t> ttl = SourceTtlMillis(index);
  if (ttl) *ttl += kReplayWindowMillis;
  return ttl;
}

/// Which row wrote a shared cell is told by its version alone; so the versions must be known, and never be raised by
/// what a source row happened to show.
MaintainerContext Effective(MaintainerContext context) {
  context.read_source = context.read_source && !context.index->shared();
  return context;
}

}  // namespace

Maintainer::Maintainer(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment, bool fresh)
    : context_(Effective(context)),
      assignment_(std::move(assignment)),
      row_units_(context.index->state_unit() == mapping::StateUnit::kRow),
      state_ttl_(StateTtl(*context.index)),
      writer_(context.index, context.store, assignment_.get()),
      cache_(context.cache_bytes),
      seen_(fresh ? std::make_unique<SeenFilter>(context.seen_filter_bytes) : nullptr),
      doubts_(context.index, context.store, context.clock, assignment_.get(), &context.counters->source_reads) {}

Status Maintainer::Apply(const consumer::Batch& batch) {
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  doubts_.Begin();
  for (size_t next = 0; next < batch.records.size();) {
    const size_t first = next;
    FENSI_RETURN_IF_ERROR(ApplyPiece(batch, first, &next));
  }
  context_.counters->events += static_cast<int64_t>(batch.records.size());
  ++context_.counters->batches;
  return {};
}

Status Maintainer::ApplyPiece(const consumer::Batch& batch, size_t first, size_t* next) {
  std::vector<Report> reports;
  BatchRows rows(context_.index, &cache_, seen_.get());
  *next = rows.Add(batch.records, first, pace_, &reports);
  FENSI_RETURN_IF_ERROR(LoadStates(&rows));
  doubts_.MarkWaiting(&rows);

  ChangeSet changes;
  BatchPlanner planner(context_.index, context_.read_source, &changes, &reports);
  planner.units()->set_window(PeriodWindow(*context_.index, context_.clock->WallMillis()));
  for (const PlannedEvent& event : rows.events()) {
    planner.Plan(event, batch.records[event.record].event.sequence_id);
    if (planner.bytes() < context_.planned_bytes) continue;
    // Whole, as if the batch ended here (M7).
    FENSI_RETURN_IF_ERROR(doubts_.LookFirst(batch, &rows, planner.units()));
    FENSI_RETURN_IF_ERROR(Write(batch, &rows, &changes, &reports));
  }
  FENSI_RETURN_IF_ERROR(doubts_.LookFirst(batch, &rows, planner.units()));
  FENSI_RETURN_IF_ERROR(Write(batch, &rows, &changes, &reports));
  rows.Remember();
  context_.counters->skipped += static_cast<int64_t>(rows.skipped());
  return {};
}

Status Maintainer::LookAgain(const consumer::Batch& batch) {
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  while (second_look()) FENSI_RETURN_IF_ERROR(LookAgainAtSome(batch));
  return {};
}

Status Maintainer::LookAgainAtSome(const consumer::Batch& batch) {
  BatchRows rows(context_.index, &cache_, seen_.get());
  doubts_.AddRows(&rows);
  FENSI_RETURN_IF_ERROR(LoadStates(&rows));
  ChangeSet changes;
  std::vector<Report> reports;
  UnitPlanner planner(context_.index, context_.read_source, &changes, &reports);
  planner.set_window(PeriodWindow(*context_.index, context_.clock->WallMillis()));
  FENSI_RETURN_IF_ERROR(doubts_.LookAgain(&rows, &planner));
  FENSI_RETURN_IF_ERROR(Write(batch, &rows, &changes, &reports));
  rows.Remember();
  return {};
}

Status Maintainer::Write(const consumer::Batch& batch, BatchRows* rows, ChangeSet* changes,
                         std::vector<Report>* reports) {
  FENSI_RETURN_IF_ERROR(WriteIndex(changes, reports));
  FENSI_RETURN_IF_ERROR(SendDeadLetters(batch, reports));
  FENSI_RETURN_IF_ERROR(WriteStates(rows));
  FENSI_RETURN_IF_ERROR(doubts_.ForgetIntents(rows));
  rows->SetClean();
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
  NotePace(requests, *answers);
  for (size_t i = 0; i < waiting.size(); ++i) {
    FENSI_RETURN_IF_ERROR(TakeState((*answers)[i], row_units_, waiting[i]));
    store::Row().cells.swap((*answers)[i].cells);  // not both at a time
  }
  return {};
}

void Maintainer::NotePace(const std::vector<store::GetRequest>& requests, const std::vector<store::Row>& answers) {
  size_t units = 0, unit_bytes = 0, rows = 0, row_bytes = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    const bool whole = !requests[i].columns.front().qualifier.has_value();
    (whole ? rows : units) += whole ? 1 : std::max<size_t>(1, requests[i].columns.size() - 1);
    for (const Cell& cell : answers[i].cells) {
      (whole ? row_bytes : unit_bytes) += sizeof(Cell) + cell.qualifier.size() + cell.value.size();
    }
  }
  pace_.NoteUnits(units, unit_bytes);
  pace_.NoteRows(rows, row_bytes);
}

bool Maintainer::SurelyUnknown(const RowWork& row) const {
  if (seen_ == nullptr) return false;
  if (row.surely_new) return true;
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

Status Maintainer::SendDeadLetters(const consumer::Batch& batch, std::vector<Report>* reports) {
  if (reports->empty()) return {};
  for (const Report& report : *reports) {
    const consumer::Record& record = batch.records[report.record];
    FENSI_RETURN_IF_ERROR(context_.dead_letters->Send({context_.index->name(), report.reason, batch.assignment->topic(),
                                                       batch.assignment->partition(), record.offset, record.event.row,
                                                       std::string(record.key), std::string(record.value)}));
  }
  context_.counters->dead_letters += static_cast<int64_t>(reports->size());
  reports->clear();
  return context_.dead_letters->Flush();
}

}  // namespace fensi::indexer
