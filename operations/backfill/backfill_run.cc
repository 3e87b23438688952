#include "operations/backfill/backfill_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random_name.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "indexer/meta_row.h"
#include "indexer/remedies.h"
#include "operations/access/clock_check.h"
#include "operations/access/position.h"
#include "operations/access/stores.h"
#include "operations/console/console.h"
#include "operations/jobs/watched_work.h"
#include "operations/json/json_line.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAsk{200}, kAskWish{1'000};
constexpr std::chrono::minutes kProofTimeout{1};
// HBase refuses region servers whose clocks differ by more (hbase.master.maxclockskew).
constexpr milliseconds kClockSkew{30'000};

}  // namespace

BackfillRun::BackfillRun(const mapping::Index* index, std::shared_ptr<store::Store> store, Owners* owners,
                         sweep::Board board, meta::IndexRecord record, BackfillWish wish, BackfillSettings settings)
    : index_(index),
      clock_(SystemClock()),
      store_(std::move(store)),
      owners_(owners),
      board_(std::move(board)),
      record_(std::move(record)),
      wish_(std::move(wish)),
      settings_(settings),
      guarded_(GuardedStore(store_, [this] { return workers_.GoOn(); })),
      beats_(wish_.alone ? milliseconds(0) : sweep::HeartbeatMonitor::kSilence),
      began_(clock_->MonotonicNow()),
      rate_(clock_) {}

Status BackfillRun::Run() {
  return RunWatched([this] { return Work(); }, [this] { workers_.Stop(); }, [this] { ShowProgress(); });
}

Status BackfillRun::Work() {
  // M16: scan only after the watermark proves that changes reach the index.
  FENSI_RETURN_IF_ERROR(AwaitProof());
  FENSI_RETURN_IF_ERROR(Scan());
  FENSI_RETURN_IF_ERROR(AwaitOwners());
  return Finish();
}

Status BackfillRun::AwaitProof() {
  if (wish_.skip_watermark_check) return {};
  FENSI_ASSIGN_OR_RETURN(const sweep::JobSnapshot view, board_.Look());
  const int64_t made_at = view.job.made_at;
  const milliseconds until = clock_->MonotonicNow() + kProofTimeout;
  const auto in_time = [&]() -> Status {
    if (clock_->MonotonicNow() < until) return {};
    return Status(
        StatusCode::kConfiguration,
        "the watermark of index " + index_->name() + " has not passed " + TimeText(made_at) +
            ", when the backfill was created. So changes may not reach the index. Check that 'fensi capture' "
            "and 'fensi run' work. Then run the same command again. If the clock of the machine that created "
            "the backfill was ahead, set the clock. Then run the command with --cancel in place of --execute, "
            "and after that with --execute --restart");
  };
  FENSI_ASSIGN_OR_RETURN(const int64_t mark, UntilCompleteAfter(made_at, in_time));
  // M16: a watermark in the future passes every moment of ours, whether changes still arrive or not.
  return CheckClock(index_->name(), mark, kClockSkew, *clock_);
}

Status BackfillRun::Scan() {
  FENSI_RETURN_IF_ERROR(Watch());
  return workers_.Run(
      settings_.workers, clock_, [this] { return ScanRanges(); }, [this] { return Watch(); });
}

Status BackfillRun::ScanRanges() {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<sweep::RequestSink> sink, owners_->Sink([this] { return workers_.GoOn(); }));
  sweep::BackfillDependencies parts{.index = index_,
                                    .store = guarded_.get(),
                                    .board = &board_,
                                    .sink = sink.get(),
                                    .clock = clock_,
                                    .flow = &flow_,
                                    .worker = RandomName(),
                                    .alone = wish_.alone,
                                    .images = {.incarnation = owners_->incarnation(), .job = board_.job()},
                                    .times = wish_.times,
                                    .go_on = [this] { return workers_.GoOn(); }};
  owners_->Bound(&parts.images);
  return sweep::BackfillWorker(std::move(parts)).Run();
}

Status BackfillRun::Watch() {
  if (settings_.place != nullptr) FENSI_RETURN_IF_ERROR(settings_.place->Check());
  const Result<sweep::JobSnapshot> view = board_.Look();
  // Kafka may take its time to answer; a job that was replaced needs no answer.
  if (!view.ok() && view.status().code() != StatusCode::kUnavailable) return view.status();
  const Result<Owners::Offsets> ends = owners_->Ends();
  const Result<int64_t> waiting = ends.ok() ? owners_->Waiting(*ends) : Result<int64_t>(ends.status());
  if (!waiting.ok() && waiting.status().code() != StatusCode::kUnavailable) return waiting.status();
  const Status& trouble = view.ok() ? waiting.status() : view.status();
  Tell(trouble.message());
  if (!trouble.ok()) return {};
  waiting_ = *waiting;
  flow_.held = *waiting > settings_.ahead_rows;
  flow_.sharers = static_cast<int64_t>(beats_.Active(*view, clock_->MonotonicNow()));
  const MutexLock lock(mu_);
  view_ = *view;
  return {};
}

/// Workers see this between ranges. Who waits after the last range asks here.
Status BackfillRun::CheckWish() {
  const milliseconds now = clock_->MonotonicNow();
  if (now - wish_asked_ < kAskWish) return {};
  wish_asked_ = now;
  const Result<sweep::JobSnapshot> view = board_.Look();
  if (view.status().code() == StatusCode::kUnavailable) return {};
  FENSI_RETURN_IF_ERROR(view.status());
  return view->job.pace.wish == sweep::Wish::kCancel ? sweep::CancelledJob() : Status();
}

Status BackfillRun::Until(const std::function<Result<bool>()>& done) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(workers_.GoOn());
    FENSI_RETURN_IF_ERROR(CheckWish());
    const Result<bool> now = done();
    if (now.ok() && *now) break;
    if (!now.ok() && now.status().code() != StatusCode::kUnavailable) return now.status();
    if (!now.ok()) Tell(now.status().message());
    clock_->Sleep(kAsk);
  }
  Tell("");
  return {};
}

/// Data of another incarnation of the index proves nothing about this job.
Result<std::optional<meta::IndexState>> BackfillRun::ReadState() const {
  Result<std::optional<meta::IndexState>> state = record_.Read();
  FENSI_RETURN_IF_ERROR(state.status());
  if (state->has_value() && (*state)->incarnation == owners_->incarnation()) return state;
  const std::string now = state->has_value() ? (*state)->incarnation : "";
  return Status(StatusCode::kConfiguration,
                indexer::RecreatedText(*index_, owners_->incarnation(), now, "meta table " + record_.table()) + ". " +
                    indexer::RequestsWithoutEffect(now));
}

Result<int64_t> BackfillRun::UntilCompleteAfter(int64_t moment, const std::function<Status()>& give_up) {
  std::optional<int64_t> mark;
  const Status passed = Until([&]() -> Result<bool> {
    FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, ReadState());
    // M16: that changes arrive. A bulk load that waits does not hold this up.
    mark = state.has_value() ? state->reached : std::nullopt;
    if (mark && *mark > moment) return true;
    const Result<std::string> paused = indexer::ReadPause(indexer::MetaRow(index_, guarded_.get()));
    Tell("waits until the index's watermark passes " + TimeText(moment) +
         (mark ? " (it is at " + TimeText(*mark) + ")" : " (there is none yet)") +
         (!paused.ok() || paused->empty() ? "" : "; " + indexer::PauseText(*index_, *paused)));
    FENSI_RETURN_IF_ERROR(give_up());
    return false;
  });
  FENSI_RETURN_IF_ERROR(passed);
  return *mark;
}

std::string BackfillRun::trouble() const {
  const MutexLock lock(mu_);
  return trouble_;
}

void BackfillRun::Tell(std::string waits) {
  const MutexLock lock(mu_);
  trouble_ = std::move(waits);
}

/// All that was published is applied, and the index is as complete as the last
/// of it.
Status BackfillRun::AwaitOwners() {
  const int64_t moment = clock_->WallMillis();
  std::optional<Owners::Offsets> ends;
  const auto applied = [&]() -> Result<bool> {
    if (!ends) {
      FENSI_ASSIGN_OR_RETURN(ends, owners_->Ends());
    }
    FENSI_ASSIGN_OR_RETURN(const int64_t waiting, owners_->Waiting(*ends));
    waiting_ = waiting;
    // M16: live only when the owners have applied every request.
    return waiting == 0;
  };
  FENSI_RETURN_IF_ERROR(Until(applied));
  // M16: and only when the watermark has passed the end of the scan.
  return wish_.skip_watermark_check ? Status() : UntilCompleteAfter(moment, [] { return Status(); }).status();
}

Status BackfillRun::Finish() {
  FENSI_ASSIGN_OR_RETURN(sweep::JobSnapshot view, board_.Look());
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, ReadState());
  const bool live = wish_.whole() || (state.has_value() && state->phase == meta::Phase::kLive);
  const meta::Phase phase = live ? meta::Phase::kLive : meta::Phase::kPartial;
  if (view.job.ended_at == 0) {
    const int64_t now = clock_->WallMillis();
    FENSI_RETURN_IF_ERROR(record_.SetPhase(owners_->incarnation(), phase));
    FENSI_RETURN_IF_ERROR(record_.SetBackfilled(owners_->incarnation(), TimeText(now) + ", " + view.job.arguments));
    FENSI_RETURN_IF_ERROR(board_.End(now));
  }
  if (settings_.place != nullptr) FENSI_RETURN_IF_ERROR(settings_.place->Check());
  ClearProgress();
  if (settings_.json) ShowJson(view, true);
  if (!settings_.json) {
    Print("index " + index_->name() + ": " + Counted(view.sum().rows, "row") + " of table " + index_->source_table() +
          " scanned and applied; phase " + meta::PhaseName(phase) + "\n");
  }
  return FinishOutput();
}

void BackfillRun::ShowProgress() {
  const bool drawn = MayDraw() && !settings_.json;
  if (!rate_.IsDue(ProgressPause(drawn))) return;
  const sweep::JobSnapshot view = [this] {
    const MutexLock lock(mu_);
    return view_;
  }();
  const double rate = rate_.Next(view.sum().rows);
  if (settings_.json) return ShowJson(view, false);
  if (drawn) return DrawProgress(ProgressLine(view, rate));
  Say(ProgressLine(view, rate));
}

std::string BackfillRun::ProgressLine(const sweep::JobSnapshot& view, double rows_per_second) {
  const size_t done = view.ranges_done();
  std::string text = "index " + index_->name() + ": " + Counted(view.sum().rows, "row") + ", " +
                     WithCommas(std::llround(rows_per_second)) + "/s, " + std::to_string(done) + " of " +
                     Counted(static_cast<int64_t>(view.ranges.size()), "range");
  const int64_t waiting = waiting_;
  if (waiting > 0) text += ", " + Counted(waiting, "request") + " ahead of 'fensi run'";
  if (view.job.pace.wish == sweep::Wish::kPause) text += ", paused";
  if (done > 0 && done < view.ranges.size()) {
    const double passed = std::chrono::duration<double>(clock_->MonotonicNow() - began_).count();
    const double left = passed * static_cast<double>(view.ranges.size() - done) / static_cast<double>(done);
    text += ", about " + DurationText(std::llround(left)) + " left";
  }
  const std::string waits = trouble();
  return waits.empty() ? text : text + "; " + waits;
}

void BackfillRun::ShowJson(const sweep::JobSnapshot& view, bool done) {
  const sweep::Place sum = view.sum();
  const nlohmann::ordered_json json = {{"kind", "backfill"},
                                       {"index", index_->name()},
                                       {"job", board_.job()},
                                       {"rows", sum.rows},
                                       {"bytes", sum.bytes},
                                       {"ranges", view.ranges.size()},
                                       {"ranges_done", view.ranges_done()},
                                       {"ahead", waiting_.load()},
                                       {"waits", done ? "" : trouble()},
                                       {"done", done}};
  Print(JsonLine(json));
  if (const Status written = FinishOutput(); !written.ok()) workers_.Fail(written);
}

}  // namespace fensi::operations
