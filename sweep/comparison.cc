#include "sweep/comparison.h"

#include <utility>

namespace fensi::sweep {

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
    const Result<bool> even = SumUp();
    FENSI_RETURN_IF_ERROR(even.status());
    if (*even) counts_.good = counts_.entries - counts_.outside;
    if (*even) return {};
  }
  const bool sums = options_.backward && BackwardOptionsOf(options_).all_rows;
  if (options_.forward) {
    FENSI_RETURN_IF_ERROR(forward_.Compare([&](const mapping::Entry& entry) {
      if (sums) backward_.Note(entry);
    }));
  }
  if (!options_.backward) return {};
  if (!options_.forward) FENSI_RETURN_IF_ERROR(tables_.AllNamed(sweep_.clock->WallMillis()));
  return backward_.Compare();
}

}  // namespace fensi::sweep
