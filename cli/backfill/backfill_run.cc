#include "cli/backfill/backfill_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/bytes.h"
#include "base/counted.h"
#include "base/random_name.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/program/drawn_line.h"
#include "cli/program/json_line.h"
#include "cli/program/output.h"
#include "cli/run/watched_work.h"
#include "indexer/meta_row.h"
#include "indexer/pause_watch.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAsk{200};
constexpr std::chrono::minutes kProofTimeout{1};
// HBase refuses region servers whose clocks differ by more (hbase.master.maxclockskew).
constexpr int64_t kClockSkewMillis = 30'000;

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
      beats_(wish_.alone ? milliseconds(0) : sweep::BeatWatch::kSilence),
      began_(clock_->SinceBoot()),
      rate_(clock_) {}

Status BackfillRun::Run() {
  return RunWatched([this] { return Work(); }, [this] { workers_.Stop(); }, [this] { ShowProgress(); });
}

Status BackfillRun::Work() {
  FENSI_RETURN_IF_ERROR(AwaitProof());
  FENSI_RETURN_IF_ERROR(Scan());
  FENSI_RETURN_IF_ERROR(AwaitOwners());
  return Finish();
}

Status BackfillRun::AwaitProof() {
  if (wish_.unproven) return {};
  const Result<sweep::BoardView> view = board_.Look();
  FENSI_RETURN_IF_ERROR(view.status());
  const int64_t made_at = view->job.made_at;
  const milliseconds until = clock_->SinceBoot() + kProofTimeout;
  const Result<int64_t> mark = UntilCompleteAfter(made_at, [&]() -> Status {
    if (clock_->SinceBoot() < until) return {};
    return Status(StatusCode::kConfiguration, "the mark of index " + index_->name() +
                                                  " does not pass the moment at which the backfill was made (" +
                                                  TimeText(made_at) +
                                                  "), so changes do not reach the index: see that 'fensi capture' and "
                                                  "'fensi run' work, that the clock of the "
                                                  "machine that made the job is right, and run this again");
  });
  FENSI_RETURN_IF_ERROR(mark.status());
  return CheckClock(*mark);
}

/// Beside a mark of the future every moment of ours is past, whether changes still come or not.
Status BackfillRun::CheckClock(int64_t mark) const {
  const int64_t now = clock_->WallMillis();
  if (mark <= now + kClockSkewMillis) return {};
  return Status(
      StatusCode::kConfiguration,
      "the mark of index " + index_->name() + " is at " + TimeText(mark) + ", and this machine's clock at " +
          TimeText(now) +
          ": by a clock that is behind the servers' a backfill proves nothing. Set it right, and run this again");
}

Status BackfillRun::Scan() {
  FENSI_RETURN_IF_ERROR(Watch());
  return workers_.Run(
      settings_.workers, clock_, [this] { return ScanRanges(); }, [this] { return Watch(); });
}

Status BackfillRun::ScanRanges() {
  Result<std::unique_ptr<sweep::RequestSink>> sink = owners_->Sink([this] { return workers_.GoOn(); });
  FENSI_RETURN_IF_ERROR(sink.status());
  sweep::BackfillParts parts{.index = index_,
                             .store = guarded_.get(),
                             .board = &board_,
                             .sink = sink->get(),
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
  const Result<sweep::BoardView> view = board_.Look();
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
  flow_.sharers = static_cast<int64_t>(beats_.Active(*view, clock_->SinceBoot()));
  const MutexLock lock(mu_);
  view_ = *view;
  return {};
}

Status BackfillRun::Until(const std::function<Result<bool>()>& done) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(workers_.GoOn());
    const Result<bool> now = done();
    if (now.ok() && *now) break;
    if (!now.ok() && now.status().code() != StatusCode::kUnavailable) return now.status();
    if (!now.ok()) Tell(now.status().message());
    clock_->Sleep(kAsk);
  }
  Tell("");
  return {};
}

/// What is said of another incarnation of the index proves nothing of this job.
Result<std::optional<meta::IndexState>> BackfillRun::ReadState() const {
  Result<std::optional<meta::IndexState>> state = record_.Read();
  FENSI_RETURN_IF_ERROR(state.status());
  if (state->has_value() && (*state)->incarnation == owners_->incarnation()) return state;
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + " was dropped" +
                    (state->has_value() ? " and made again (incarnation " + (*state)->incarnation + ")" : "") +
                    " since this backfill began, so that the job was replaced. It asked incarnation " +
                    owners_->incarnation() + ". Start the command again for the index that is there now");
}

Result<int64_t> BackfillRun::UntilCompleteAfter(int64_t moment, const std::function<Status()>& give_up) {
  std::optional<int64_t> mark;
  const Status passed = Until([&]() -> Result<bool> {
    const Result<std::optional<meta::IndexState>> state = ReadState();
    FENSI_RETURN_IF_ERROR(state.status());
    mark = state->has_value() ? (*state)->complete : std::nullopt;
    if (mark && *mark > moment) return true;
    const Result<std::string> paused = indexer::ReadPause(indexer::MetaRow(index_, guarded_.get()));
    Tell("waits until the index's mark passes " + TimeText(moment) +
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
      Result<Owners::Offsets> now = owners_->Ends();
      FENSI_RETURN_IF_ERROR(now.status());
      ends = std::move(*now);
    }
    const Result<int64_t> waiting = owners_->Waiting(*ends);
    FENSI_RETURN_IF_ERROR(waiting.status());
    waiting_ = *waiting;
    return *waiting == 0;
  };
  FENSI_RETURN_IF_ERROR(Until(applied));
  return wish_.unproven ? Status() : UntilCompleteAfter(moment, [] { return Status(); }).status();
}

Status BackfillRun::Finish() {
  Result<sweep::BoardView> view = board_.Look();
  FENSI_RETURN_IF_ERROR(view.status());
  const Result<std::optional<meta::IndexState>> state = ReadState();
  FENSI_RETURN_IF_ERROR(state.status());
  const bool live = wish_.whole() || (state->has_value() && (*state)->phase == meta::Phase::kLive);
  const meta::Phase phase = live ? meta::Phase::kLive : meta::Phase::kPartial;
  if (view->job.ended_at == 0) {
    const int64_t now = clock_->WallMillis();
    FENSI_RETURN_IF_ERROR(record_.SetPhase(owners_->incarnation(), phase));
    FENSI_RETURN_IF_ERROR(record_.SetBackfilled(owners_->incarnation(), TimeText(now) + ", " + view->job.arguments));
    FENSI_RETURN_IF_ERROR(board_.End(now));
  }
  if (settings_.place != nullptr) FENSI_RETURN_IF_ERROR(settings_.place->Check());
  ClearProgress();
  if (settings_.json) ShowJson(*view, true);
  if (!settings_.json) {
    Print("index " + index_->name() + ": " + Counted(view->sum().rows, "row") + " of table " + index_->source_table() +
          " scanned and applied; phase " + meta::PhaseName(phase) + "\n");
  }
  return FinishOutput();
}

void BackfillRun::ShowProgress() {
  const bool drawn = StderrIsTerminal() && !settings_.json;
  if (!rate_.IsDue(ProgressPause(drawn))) return;
  const sweep::BoardView view = [this] {
    const MutexLock lock(mu_);
    return view_;
  }();
  const double rate = rate_.Next(view.sum().rows);
  if (settings_.json) return ShowJson(view, false);
  if (drawn) return DrawProgress(ProgressLine(view, rate));
  Say(ProgressLine(view, rate));
}

std::string BackfillRun::ProgressLine(const sweep::BoardView& view, double rows_per_second) {
  const size_t done = view.ranges_done();
  std::string text = "index " + index_->name() + ": " + Counted(view.sum().rows, "row") + ", " +
                     WithCommas(std::llround(rows_per_second)) + "/s, " + std::to_string(done) + " of " +
                     Counted(static_cast<int64_t>(view.ranges.size()), "range");
  const int64_t waiting = waiting_;
  if (waiting > 0) text += ", " + Counted(waiting, "request") + " ahead of 'fensi run'";
  if (view.job.pace.wish == sweep::Wish::kPause) text += ", paused";
  if (done > 0 && done < view.ranges.size()) {
    const double passed = std::chrono::duration<double>(clock_->SinceBoot() - began_).count();
    const double left = passed * static_cast<double>(view.ranges.size() - done) / static_cast<double>(done);
    text += ", about " + DurationText(std::llround(left)) + " left";
  }
  const std::string waits = trouble();
  return waits.empty() ? text : text + "; " + waits;
}

void BackfillRun::ShowJson(const sweep::BoardView& view, bool done) {
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

}  // namespace fensi::cli
