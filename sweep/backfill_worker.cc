#include "sweep/backfill_worker.h"

#include <algorithm>
#include <utility>

#include "sweep/judge.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{1000};  // when there is nothing to take
constexpr milliseconds kAskPause{50};

/// Ends a scan whose range is left; nobody else sees it.
Status Left() { return Status(StatusCode::kFenced, "the range is left"); }

}  // namespace

BackfillWorker::BackfillWorker(BackfillParts parts)
    : parts_(std::move(parts)), duty_(parts_.clock), watch_(parts_.alone ? milliseconds(0) : BeatWatch::kSilence) {
  store::RetryOptions retry;
  retry.clock = parts_.clock;
  retry.give_up_after = kGiveUpAfter;
  retry.should_go_on = parts_.go_on;
  retry.on_retry = [this](const store::RetryState&) { duty_.Halve(); };
  store_ = std::make_unique<store::RetryingStore>(parts_.store, retry);
}

Status BackfillWorker::Run() {
  for (;;) {
    FENSI_RETURN_IF_ERROR(parts_.go_on());
    const Result<BoardView> view = parts_.board->Look();
    FENSI_RETURN_IF_ERROR(view.status());
    if (view->sum().done) return {};
    pace_ = view->job.pace;
    if (pace_.wish == Wish::kCancel) return Status(StatusCode::kCancelled, "the job was cancelled");
    if (pace_.wish == Wish::kRun) FENSI_RETURN_IF_ERROR(WorkOnce(*view));
    if (pace_.wish == Wish::kPause) FENSI_RETURN_IF_ERROR(Rest(nullptr, parts_.clock->SinceBoot() + kPause));
  }
}

Status BackfillWorker::WorkOnce(const BoardView& view) {
  const milliseconds now = parts_.clock->SinceBoot();
  Result<std::optional<Seat>> seat = parts_.board->Take(view, &watch_, parts_.worker, random_(), now);
  FENSI_RETURN_IF_ERROR(seat.status());
  if (!seat->has_value()) return Rest(nullptr, now + kPause);
  const Status status = Scan(&**seat);
  if (status.code() != StatusCode::kUnavailable) return status;
  return AfterFailure(status);
}

Status BackfillWorker::AfterFailure(const Status& failure) {
  const milliseconds now = parts_.clock->SinceBoot();
  if (!failing_since_) failing_since_ = now;
  if (now - *failing_since_ >= kGiveUpAfter) return failure;
  duty_.Halve();
  return Rest(nullptr, now + kPause);
}

Status BackfillWorker::Scan(Seat* seat) {
  ImageScan scan(parts_.index, store_.get(), parts_.clock, parts_.times, parts_.images,
                 [this](const consumer::Request& request) { return Publish(request); });
  left_ = unsaved_ = false;
  page_began_ = beaten_ = parts_.clock->SinceBoot();
  saved_ = page_began_ - kSave;  // who is killed again and again gets a page further each time
  const Status status =
      scan.Run({seat->place.next, seat->rows.stop}, [&](const ImageScan::Page& page) { return AfterPage(seat, page); });
  return left_ ? Status() : status;
}

Status BackfillWorker::AfterPage(Seat* seat, const ImageScan::Page& page) {
  // Who takes the requests holds us up by himself: only of the store it is told by its time that others need it.
  const milliseconds rest = duty_.Took(parts_.clock->SinceBoot() - page_began_ - std::exchange(sending_, {}));
  seat->place.rows += page.rows;
  seat->place.bytes += page.bytes;
  seat->place.done = page.last;
  if (!page.next.empty()) seat->place.next = page.next;
  unsaved_ = true;
  if (page.last || parts_.clock->SinceBoot() - saved_ >= kSave) FENSI_RETURN_IF_ERROR(Save(seat));
  if (page.last) return {};
  FENSI_RETURN_IF_ERROR(Rest(seat, std::max(parts_.clock->SinceBoot() + rest, DueAfter(page))));
  page_began_ = parts_.clock->SinceBoot();
  return {};
}

Status BackfillWorker::Save(Seat* seat) {
  FENSI_RETURN_IF_ERROR(parts_.sink->Flush());
  FENSI_RETURN_IF_ERROR(parts_.board->Advance(*seat));
  saved_ = parts_.clock->SinceBoot();
  unsaved_ = false;
  failing_since_.reset();
  return {};
}

Status BackfillWorker::Beat(Seat* seat) {
  beaten_ = parts_.clock->SinceBoot();
  const Result<JobPace> pace = parts_.board->Beat(seat);
  FENSI_RETURN_IF_ERROR(pace.status());
  pace_ = *pace;
  left_ = seat->lost || pace_.wish != Wish::kRun;
  return left_ ? Left() : Status();
}

Status BackfillWorker::Rest(Seat* seat, milliseconds until) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(parts_.go_on());
    const milliseconds now = parts_.clock->SinceBoot();
    if (seat != nullptr && now - beaten_ >= kBeat) FENSI_RETURN_IF_ERROR(Beat(seat));
    if (seat != nullptr && unsaved_ && now - saved_ >= kSave) FENSI_RETURN_IF_ERROR(Save(seat));
    const bool held = seat != nullptr && parts_.flow->held;
    if (now >= until && !held) return {};
    parts_.clock->Sleep(held ? kAskPause : std::min(kAskPause, until - now));
  }
}

milliseconds BackfillWorker::DueAfter(const ImageScan::Page& page) {
  const milliseconds now = parts_.clock->SinceBoot();
  const int64_t sharers = std::max<int64_t>(1, parts_.flow->sharers);
  const auto takes = [&](int64_t amount, int64_t rate) { return rate == 0 ? 0 : 1000 * amount * sharers / rate; };
  // What was not used is not made up for.
  due_ = std::max(due_, now) +
         milliseconds(std::max(takes(page.rows, pace_.rows_per_second), takes(page.bytes, pace_.bytes_per_second)));
  return pace_.rows_per_second == 0 && pace_.bytes_per_second == 0 ? now : due_;
}

Status BackfillWorker::Publish(const consumer::Request& request) {
  ++parts_.flow->requests;
  const milliseconds begin = parts_.clock->SinceBoot();
  const Status sent = parts_.sink->Send(request);
  sending_ += parts_.clock->SinceBoot() - begin;
  if (sent.code() != StatusCode::kRejected || request.kind != consumer::Request::Kind::kImage) return sent;
  // Whatever its topic takes: the owner reads the row himself.
  consumer::Request recheck = request;
  recheck.kind = consumer::Request::Kind::kRecheck;
  recheck.cells.clear();
  recheck.partial = false;
  recheck.read_time = 0;
  return parts_.sink->Send(recheck);
}

}  // namespace fensi::sweep
