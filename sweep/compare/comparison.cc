#include "sweep/compare/comparison.h"

#include <utility>

#include "sweep/compare/backward.h"
#include "sweep/compare/forward.h"

namespace fensi::sweep {
namespace {

/// Compares a table. A table of a period that is gone has no cells.
Status CompareTable(Sweep* sweep, const RowRange& rows) {
  BackwardOptions options;
  options.all_rows = false;
  const Status done = Backward(sweep, options).CompareTable(rows.table, rows);
  const bool gone = done.code() == StatusCode::kNotFound && sweep->index->table_is_template();
  return gone ? Status() : done;
}

}  // namespace

Result<ChunkResult> CompareChunk(const ChunkDependencies& parts, const ChunkRows& what) {
  Judge judge(parts.index, parts.store, parts.clock, parts.judge, parts.sink, parts.counts);
  TableScanner walker(parts.store, parts.clock, parts.walk, &judge);
  Sweep sweep{parts.index, parts.store, parts.clock, parts.sink, parts.counts, &judge, &walker, parts.tables, {}};
  sweep.as_of = parts.judge.as_of;
  sweep.newest_put = parts.judge.newest_put;
  const bool forward = what.rows.table.empty();
  const RowRange& source_rows = forward ? what.rows : what.source_rows;
  sweep.source_rows.start_row = source_rows.start;
  sweep.source_rows.stop_row = source_rows.stop;
  FENSI_RETURN_IF_ERROR(forward ? Forward(&sweep).Compare([](const mapping::Entry&) {})
                                : CompareTable(&sweep, what.rows));
  // M17: findings of a chunk are certain before its position moves.
  FENSI_RETURN_IF_ERROR(judge.Wait(true));
  return ChunkResult{walker.next(), static_cast<int64_t>(walker.walked())};
}

Comparison::Comparison(const mapping::Index* index, store::Store* store, Clock* clock, CompareOptions options,
                       FindingSink* sink)
    : options_(std::move(options)),
      judge_(index, store, clock, JudgeOptionsOf(options_), sink, &counts_),
      walker_(store, clock, options_.walk, &judge_),
      tables_(index, store),
      sweep_{index,
             store,
             clock,
             sink,
             &counts_,
             &judge_,
             &walker_,
             &tables_,
             {},
             options_.as_of,
             options_.judge.newest_put},
      forward_(&sweep_),
      backward_(&sweep_, BackwardOptionsOf(options_)) {
  sweep_.source_rows.start_row = options_.start_row;
  sweep_.source_rows.stop_row = options_.stop_row;
}

JudgeOptions Comparison::JudgeOptionsOf(const CompareOptions& options) {
  JudgeOptions judge = options.judge;
  judge.as_of = options.as_of;
  return judge;
}

BackwardOptions Comparison::BackwardOptionsOf(const CompareOptions& options) {
  BackwardOptions backward;
  backward.all_rows = options.start_row.empty() && options.stop_row.empty() && options.walk.sample == 0;
  backward.summed = options.forward;
  backward.max_unknown = options.max_unknown;
  backward.recheck = options.judge.recheck;
  backward.followed = options.judge.followed;
  backward.go_on = options.judge.go_on;
  return backward;
}

Status Comparison::Run() {
  const Status passed = RunPasses();
  if (!passed.ok()) return passed;
  return judge_.Wait(true);
}

Result<bool> Comparison::SumUp() {
  digest_.emplace(sweep_.index);
  const bool timed = options_.judge.newest_put && !sweep_.index->shared();
  FENSI_RETURN_IF_ERROR(forward_.Sum(
      [&](const mapping::Entry& entry, int64_t newest) { digest_->NoteDerived(entry, timed ? newest : INT64_MAX); }));
  FENSI_RETURN_IF_ERROR(backward_.Sum(
      [&](const mapping::Entry& cell, int64_t timestamp) { digest_->NoteFound(cell, timed ? timestamp : INT64_MIN); }));
  counts_.uneven = static_cast<int64_t>(digest_->uneven());
  sweep_.digest = &*digest_;
  return counts_.uneven == 0;
}

Status Comparison::RunPasses() {
  if (options_.digest) {
    FENSI_ASSIGN_OR_RETURN(const bool even, SumUp());
    if (even) counts_.good = counts_.entries - counts_.outside;
    if (even) return {};
  }
  const bool sums = options_.backward && BackwardOptionsOf(options_).all_rows;
  if (options_.forward) {
    FENSI_RETURN_IF_ERROR(forward_.Compare([&](const mapping::Entry& entry) {
      if (sums) backward_.Note(entry);
    }));
  }
  if (!options_.backward) return {};
  if (!options_.forward) {
    FENSI_RETURN_IF_ERROR(
        tables_.CanEnumerateAll(sweep_.clock->WallMillis())
            .WithSuffix(
                ", so a comparison that does not read the source proves nothing. Compare both directions: leave "
                "out --direction"));
  }
  return backward_.Compare();
}

}  // namespace fensi::sweep
