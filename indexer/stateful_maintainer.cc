#include "indexer/stateful_maintainer.h"

#include <algorithm>
#include <iterator>

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
MaintainerOptions Effective(MaintainerOptions context) {
  context.read_source = context.read_source && !context.index->shared();
  return context;
}

}  // namespace

StatefulMaintainer::StatefulMaintainer(const MaintainerOptions& context,
                                       std::shared_ptr<consumer::Assignment> assignment, bool fresh)
    : IndexMaintainer(Effective(context), std::move(assignment)),
      row_units_(context.index->state_scope() == mapping::StateScope::kRow),
      states_(context.layout, row_units_, StateTtl(*context.index)),
      cache_(context.cache_bytes),
      pace_(context.read_bytes),
      seen_(fresh ? std::make_unique<SeenFilter>(context.seen_filter_bytes) : nullptr),
      doubts_(context.index, context.store, context.clock, &context.counters->source_reads, &phases_,
              context.read_bytes, states_) {}

void StatefulMaintainer::Begin(const consumer::Batch& batch) {
  doubts_.Begin(batch, requests_.empty() ? AmbiguityResolver::Log::kStream : AmbiguityResolver::Log::kRequests);
}

Status StatefulMaintainer::ApplyPieces(const consumer::Batch& batch) {
  for (size_t next = 0; next < batch.records.size();) {
    const size_t first = next;
    FENSI_RETURN_IF_ERROR(ApplyPiece(batch, first, &next));
  }
  return {};
}

Status StatefulMaintainer::ApplyPiece(const consumer::Batch& batch, size_t first, size_t* next) {
  std::vector<Letter> letters, unusable;
  BatchRows rows(context_.index, &cache_, seen_.get());
  *next = rows.Add(batch.records, first, pace_, &unusable, requests_);
  FENSI_RETURN_IF_ERROR(LoadStates(&rows));
  if (!requests_.empty() && context_.read_source) FENSI_RETURN_IF_ERROR(LoadUnitsFromSource(&rows));
  rows.LeaveOutUnknown(next);
  doubts_.BeginPiece(&rows);

  ChangeSet changes;
  BatchPlanner planner(context_.index, context_.read_source, &changes, &letters,
                       [this] { return assignment_->Check(); });
  planner.units()->set_window(mapping::PeriodWindow(*context_.index, context_.clock->WallMillis()));
  planner.units()->set_now(context_.clock->WallMillis());
  for (size_t i = 0; i < rows.events().size(); ++i) {
    const PlannedEvent& event = rows.events()[i];
    FENSI_RETURN_IF_ERROR(planner.Plan(event, batch.records[event.record].event.sequence_id));
    if (planner.bytes() < context_.planned_bytes) continue;
    FENSI_RETURN_IF_ERROR(Finish(batch, &rows, planner.units(), &changes, &letters));
    if (doubts_.full()) rows.LeaveOutFrom(i + 1, next);
  }
  std::copy_if(unusable.begin(), unusable.end(), std::back_inserter(letters),
               [next](const Letter& letter) { return letter.record < *next; });
  FENSI_RETURN_IF_ERROR(Finish(batch, &rows, planner.units(), &changes, &letters));
  rows.Remember();
  return {};
}

Status StatefulMaintainer::Finish(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner,
                                  ChangeSet* changes, std::vector<Letter>* letters) {
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const bool all, doubts_.ReadSourceNow(batch, rows, planner));
    // M8.1: intents before the entries that they name.
    FENSI_RETURN_IF_ERROR(doubts_.Announce(rows));
    FENSI_RETURN_IF_ERROR(Write(batch, rows, changes, letters));
    if (all) return {};
    rows->Remember();
  }
}

Status StatefulMaintainer::LookAgainAtSome(const consumer::Batch& batch) {
  BatchRows rows(context_.index, &cache_, seen_.get());
  doubts_.AddRows(&rows);
  FENSI_RETURN_IF_ERROR(LoadStates(&rows));
  ChangeSet changes;
  std::vector<Letter> letters;
  UnitPlanner planner(context_.index, context_.read_source, &changes, &letters);
  planner.set_window(mapping::PeriodWindow(*context_.index, context_.clock->WallMillis()));
  planner.set_now(context_.clock->WallMillis());
  FENSI_RETURN_IF_ERROR(doubts_.RereadSource(batch, &rows, &planner));
  FENSI_RETURN_IF_ERROR(Write(batch, &rows, &changes, &letters));
  rows.Remember();
  return {};
}

Status StatefulMaintainer::Write(const consumer::Batch& batch, BatchRows* rows, ChangeSet* changes,
                                 std::vector<Letter>* letters) {
  // M7: entries, then dead letters, then states. Once a state is stored, the event counts as applied and nothing of it
  // is repeated. M8.1: only a stored state settles an intent.
  FENSI_RETURN_IF_ERROR(WriteIndex(batch, changes, letters));
  FENSI_RETURN_IF_ERROR(SendDeadLetters(batch, letters));
  FENSI_RETURN_IF_ERROR(WriteStates(rows));
  FENSI_RETURN_IF_ERROR(doubts_.DeleteIntents(rows));
  rows->SetClean();
  return {};
}

Status StatefulMaintainer::LoadStates(BatchRows* rows) {
  StateReads reads(context_.layout, row_units_);
  const InPhase phase(&phases_, Phase::kReadState);
  Counters* counters = context_.counters;
  for (RowWork* row : rows->in_order()) {
    if (SurelyUnknown(*row)) {
      NoteLookup(*row, &counters->units_skipped);
      row->families_known = row->loaded = true;
      for (auto& [unit_key, work] : row->units) work.known = true;
    } else {
      NoteLookup(*row, &counters->units_read);
      row->loaded = !reads.Add(row);
    }
    if (seen_ != nullptr) MarkSeen(*row);
  }
  bool more = !reads.requests().empty();
  for (; more; more = reads.NextRound()) FENSI_RETURN_IF_ERROR(Read(&reads));
  return {};
}

Status StatefulMaintainer::Read(StateReads* reads) {
  Result<std::vector<store::Row>> answers =
      context_.store->GetSome(context_.index->state_table(), reads->requests(), context_.read_bytes);
  FENSI_RETURN_IF_ERROR(answers.status());
  context_.counters->state_reads += static_cast<int64_t>(answers->size());
  NotePace(*reads, *answers);
  for (size_t i = 0; i < answers->size(); ++i) FENSI_RETURN_IF_ERROR(reads->Take(i, std::move((*answers)[i])));
  return {};
}

void StatefulMaintainer::NoteLookup(const RowWork& row, Count* unknown) {
  const auto known =
      std::count_if(row.units.begin(), row.units.end(), [](const auto& unit) { return unit.second.known; });
  context_.counters->units_cached += known;
  *unknown += static_cast<int64_t>(row.units.size()) - known;
}

void StatefulMaintainer::NotePace(const StateReads& reads, const std::vector<store::Row>& answers) {
  size_t units = 0, unit_bytes = 0, rows = 0, row_bytes = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const size_t asked = reads.units(i), bytes = store::HeldBytes(answers[i]);
    const bool whole = asked == 0;
    (whole ? rows : units) += whole ? 1 : asked;
    (whole ? row_bytes : unit_bytes) += bytes;
  }
  pace_.NoteUnits(units, unit_bytes);
  pace_.NoteRows(rows, row_bytes);
}

bool StatefulMaintainer::SurelyUnknown(const RowWork& row) const {
  if (seen_ == nullptr) return false;
  if (row.surely_new) return true;
  if (row_units_ || row.all_units || !row.families_known) return false;
  return std::all_of(row.units.begin(), row.units.end(), [&](const auto& unit) {
    return unit.second.known || !seen_->MayContain(SeenHash(row.seen_hash, unit.first));
  });
}

Status StatefulMaintainer::LoadUnitsFromSource(BatchRows* rows) {
  FENSI_RETURN_IF_ERROR(doubts_.LoadUnitsFromSource(rows));
  if (seen_ == nullptr) return {};
  for (const RowWork* row : rows->in_order()) MarkSeen(*row);
  return {};
}

void StatefulMaintainer::MarkSeen(const RowWork& row) {
  seen_->Add(row.seen_hash);
  if (row_units_) return;
  for (const auto& [key, work] : row.units) seen_->Add(SeenHash(row.seen_hash, key));
}

Status StatefulMaintainer::WriteStates(BatchRows* rows) {
  const InOrder states = states_.States(rows->in_order());
  FENSI_RETURN_IF_ERROR(WriteStateRows(states.first));
  return WriteStateRows(states.then);
}

Status StatefulMaintainer::WriteStateRows(const std::vector<store::RowMutation>& mutations) {
  if (mutations.empty()) return {};
  const InPhase phase(&phases_, Phase::kWriteStates);
  const std::string& table = context_.index->state_table();
  FENSI_ASSIGN_OR_RETURN(std::vector<store::RejectedRow> written, context_.store->Put(table, mutations));
  return written.empty() ? Status() : states_.Refusal(table, mutations, "state", written.front());
}

}  // namespace fensi::indexer
