#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/bytes.h"
#include "base/random_name.h"
#include "base/text.h"
#include "operations/access/newest_puts.h"
#include "operations/access/stores.h"
#include "operations/access/telling_store.h"
#include "operations/console/console.h"
#include "operations/jobs/watched_work.h"
#include "operations/verify/followed_by_marks.h"
#include "operations/verify/verification.h"
#include "sweep/compare/verify_worker.h"
#include "sweep/scan/table_list.h"

namespace fensi::operations {
namespace {

using sweep::RowRange;

constexpr size_t kMostRanges = 10'000;  // of one table

Status AddRanges(store::Store* store, const std::string& table, const RowRange& rows, std::vector<RowRange>* ranges) {
  const std::string read = rows.table.empty() ? table : rows.table;
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> starts, RegionStartsOf(store, read, SystemClock()));
  for (RowRange& range : sweep::RangesOf(starts, {rows.start, rows.stop}, kMostRanges)) {
    range.table = rows.table;
    ranges->push_back(std::move(range));
  }
  return {};
}

using FoundCounts = std::array<int64_t, 4>;

FoundCounts FoundOf(const sweep::Counts& counts) {
  return {counts.missing, counts.orphan, counts.content_differs, counts.undecided};
}

/// A worker keeps a finding before it counts it.
Status CheckAllIsTold(const FoundCounts& counted, const FoundCounts& told, const meta::VersionedMetaRow& row) {
  if (std::equal(told.begin(), told.end(), counted.begin(), std::greater_equal<int64_t>())) return Status();
  return Status(StatusCode::kConfiguration, "table " + row.table() + ", rows that begin with " + Escape(row.row()) +
                                                ": findings of this comparison are missing. Probably a person deleted "
                                                "them. To compare again, run the same command with --restart");
}

}  // namespace

Result<std::vector<RowRange>> RangesToCompare(const mapping::Index& index, const sweep::CompareOptions& options,
                                              store::Store* store) {
  std::vector<RowRange> ranges;
  if (options.forward) {
    FENSI_RETURN_IF_ERROR(AddRanges(store, index.source_table(), {options.start_row, options.stop_row}, &ranges));
  }
  if (!options.backward) return ranges;
  const sweep::TableList tables(&index, store);
  const int64_t now = SystemClock()->WallMillis();
  FENSI_RETURN_IF_ERROR(tables.CanEnumerateAll(now).WithSuffix(
      ", so processes cannot share the direction from the index to the source. Leave out --distributed, or give "
      "--direction=forward"));
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> existing, tables.Existing(now));
  for (const std::string& table : existing) FENSI_RETURN_IF_ERROR(AddRanges(store, table, {"", "", table}, &ranges));
  return ranges;
}

SharedVerification::SharedVerification(SharedWork work)
    : work_(std::move(work)),
      clock_(SystemClock()),
      board_(work_.row, work_.job),
      found_(work_.store.get(), work_.row.table(), work_.row.row(), work_.job),
      guarded_(std::make_shared<TellingStore>(GuardedStore(work_.store, [this] { return workers_.GoOn(); }),
                                              TellingStore::Options{"verify", Say})),
      rate_(clock_) {}

Status SharedVerification::Run() {
  return RunWatched([this] { return Work(); }, [this] { workers_.Stop(); }, [this] { ShowProgress(); });
}

Status SharedVerification::Work() {
  FENSI_RETURN_IF_ERROR(Watch());
  FENSI_RETURN_IF_ERROR(found_.ForgetOthers([this] { return board_.Look().status(); }));
  FENSI_RETURN_IF_ERROR(workers_.Run(
      work_.workers, clock_, [this] { return CompareRanges(); }, [this] { return Watch(); }));
  FENSI_RETURN_IF_ERROR(Watch());
  ClearProgress();
  const MutexLock lock(mu_);
  return view_.job.ended_at == 0 ? board_.End(clock_->WallMillis()) : Status();
}

Status SharedVerification::CompareRanges() {
  sweep::VerifyDependencies parts{.index = work_.index, .store = guarded_.get(), .found = &found_};
  parts.source_rows = {work_.options.start_row, work_.options.stop_row};
  parts.judge = work_.options.judge;
  parts.judge.as_of = work_.options.as_of;
  parts.judge.max_suspects = std::max<size_t>(1, parts.judge.max_suspects / static_cast<size_t>(work_.workers));
  parts.judge.followed = FollowedByMarks(*work_.index, work_.incarnation, guarded_.get(), work_.marks);
  parts.judge.newest_put = NewestPuts(*work_.index, guarded_.get());
  parts.range = {&board_, clock_, RandomName(), work_.alone, [this] { return workers_.GoOn(); }};
  return sweep::VerifyWorker(std::move(parts)).Run();
}

Status SharedVerification::Watch() {
  Result<sweep::JobSnapshot> view = board_.Look();
  if (view.status().code() == StatusCode::kUnavailable) return {};  // workers repeat, and give up
  FENSI_RETURN_IF_ERROR(view.status());
  const MutexLock lock(mu_);
  view_ = std::move(*view);
  return {};
}

Status SharedVerification::Tell(bool whole, sweep::FindingSink* sink, sweep::Counts* counts) {
  {
    const MutexLock lock(mu_);
    sweep::AddCounts(view_.sum().counts, counts);
  }
  if (!whole) return {};
  const FoundCounts counted = FoundOf(*counts);
  // Counts the reported findings again: a worker that was paused and woke late may have kept uncounted ones.
  counts->missing = counts->orphan = counts->content_differs = counts->undecided = 0;
  FENSI_RETURN_IF_ERROR(found_.ForEach([&](const sweep::Finding& finding) {
    if (finding.kind != sweep::Finding::Kind::kUnmappable) sweep::Count(finding.kind, counts);
    return sink->Add(finding);
  }));
  return CheckAllIsTold(counted, FoundOf(*counts), work_.row);
}

void SharedVerification::ShowProgress() {
  if (!rate_.IsDue(ProgressPause(MayDraw()))) return;
  const sweep::JobSnapshot view = [this] {
    const MutexLock lock(mu_);
    return view_;
  }();
  const int64_t rows = view.sum().rows;
  std::string text = "index " + work_.index->name() + ": " + Counted(rows, "row") + " of both tables, " +
                     WithCommas(std::llround(rate_.Next(rows))) + "/s, " + std::to_string(view.ranges_done()) + " of " +
                     Counted(static_cast<int64_t>(view.ranges.size()), "range") + " done";
  if (view.job.pace.wish == sweep::Wish::kPause) text += ", paused";
  if (MayDraw()) return DrawProgress(text);
  Say(text);
}

}  // namespace fensi::operations
