#include "sweep/range_worker.h"

#include <algorithm>
#include <utility>

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{1000};  // when there is nothing to take
constexpr milliseconds kAskPause{50};

/// Ends the work on a range that is left; nobody else sees it.
Status Left() { return Status(StatusCode::kFenced, "the range is left"); }

}  // namespace

RangeWorker::RangeWorker(RangeParts parts)
    : parts_(std::move(parts)), watch_(parts_.alone ? milliseconds(0) : BeatWatch::kSilence) {}

Status RangeWorker::Run() {
  for (;;) {
    FENSI_RETURN_IF_ERROR(parts_.go_on());
    const Result<BoardView> view = parts_.board->Look();
    FENSI_RETURN_IF_ERROR(view.status());
    if (view->sum().done) return {};
    pace_ = view->job.pace;
    if (pace_.wish == Wish::kCancel)
      return Status(StatusCode::kCancelled, "the job was cancelled; --again begins another one");
    if (pace_.wish == Wish::kRun) FENSI_RETURN_IF_ERROR(WorkOnce(*view));
    if (pace_.wish == Wish::kPause) FENSI_RETURN_IF_ERROR(Rest(nullptr, parts_.clock->SinceBoot() + kPause));
  }
}

Status RangeWorker::WorkOnce(const BoardView& view) {
  const milliseconds now = parts_.clock->SinceBoot();
  Result<std::optional<Seat>> seat = parts_.board->Take(view, &watch_, parts_.worker, random_(), now);
  FENSI_RETURN_IF_ERROR(seat.status());
  if (!seat->has_value()) return Rest(nullptr, now + kPause);
  const Status status = WorkOn(&**seat);
  if (status.code() != StatusCode::kUnavailable) return status;
  return AfterFailure(status);
}

Status RangeWorker::WorkOn(Seat* seat) {
  left_ = unsaved_ = false;
  beaten_ = parts_.clock->SinceBoot();
  saved_ = beaten_ - kSave;  // who is killed again and again gets a page further each time
  const Status status = Work(seat);
  return left_ ? Status() : status;
}

Status RangeWorker::AfterFailure(const Status& failure) {
  const milliseconds now = parts_.clock->SinceBoot();
  if (!failing_since_) failing_since_ = now;
  if (now - *failing_since_ >= kGiveUpAfter) return failure;
  OnTrouble();
  return Rest(nullptr, now + kPause);
}

Status RangeWorker::Save(Seat* seat) {
  FENSI_RETURN_IF_ERROR(Flush());
  FENSI_RETURN_IF_ERROR(parts_.board->Advance(*seat));
  saved_ = parts_.clock->SinceBoot();
  unsaved_ = false;
  failing_since_.reset();
  return {};
}

Status RangeWorker::Beat(Seat* seat) {
  beaten_ = parts_.clock->SinceBoot();
  const Result<JobPace> pace = parts_.board->Beat(seat);
  FENSI_RETURN_IF_ERROR(pace.status());
  pace_ = *pace;
  left_ = seat->lost || pace_.wish != Wish::kRun;
  return left_ ? Left() : Status();
}

Status RangeWorker::GoOn(Seat* seat) {
  FENSI_RETURN_IF_ERROR(parts_.go_on());
  const milliseconds now = parts_.clock->SinceBoot();
  return seat != nullptr && now - beaten_ >= kBeat ? Beat(seat) : Status();
}

Status RangeWorker::Rest(Seat* seat, milliseconds until) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(GoOn(seat));
    const milliseconds now = parts_.clock->SinceBoot();
    if (seat != nullptr && unsaved_ && now - saved_ >= kSave) FENSI_RETURN_IF_ERROR(Save(seat));
    const bool held = seat != nullptr && Held();
    if (now >= until && !held) return {};
    parts_.clock->Sleep(held ? kAskPause : std::min(kAskPause, until - now));
  }
}

}  // namespace fensi::sweep
