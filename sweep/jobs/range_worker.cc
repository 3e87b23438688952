#include "sweep/jobs/range_worker.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kMinute{60};
constexpr size_t kMostPages = 256;
constexpr size_t kFewestPages = 10;  // before that nobody knows what is usual
constexpr int kSlow = 4;             // times the best tenth
constexpr milliseconds kNeverSlow{50};
constexpr milliseconds kRise{1000};
constexpr double kRiseBy = 0.1;

}  // namespace

milliseconds Duty::Took(milliseconds page) {
  const milliseconds now = clock_->MonotonicNow();
  if (IsSlow(page)) {
    Halve();
  } else {
    Rise(now);
  }
  pages_.emplace_back(now, page);
  while (pages_.size() > kMostPages || now - pages_.front().first > kMinute) pages_.pop_front();
  return milliseconds(static_cast<int64_t>(static_cast<double>(page.count()) * (1 / share_ - 1)));
}

void Duty::Halve() {
  share_ = std::max(kLeast, share_ / 2);
  risen_ = clock_->MonotonicNow();
}

bool Duty::IsSlow(milliseconds page) const {
  if (page < kNeverSlow || pages_.size() < kFewestPages) return false;
  std::vector<milliseconds> times;
  for (const auto& [when, took] : pages_) times.push_back(took);
  const auto tenth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
  std::nth_element(times.begin(), tenth, times.end());
  return page > kSlow * std::max(*tenth, milliseconds(1));
}

void Duty::Rise(milliseconds now) {
  const auto quiet = (now - risen_) / kRise;
  if (quiet == 0) return;
  share_ = std::min(1.0, share_ + kRiseBy * static_cast<double>(quiet));
  risen_ = now;
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{1000};  // when there is nothing to take
constexpr milliseconds kAskPause{50};

/// Ends the work on a range that is left; callers do not see it.
Status Left() { return Status(StatusCode::kFenced, "the range is left"); }

}  // namespace

Status CancelledJob() {
  return {StatusCode::kCancelled, "the job was cancelled. To begin another job, add --restart to the command"};
}

RangeWorker::RangeWorker(RangeDependencies parts)
    : parts_(std::move(parts)), watch_(parts_.alone ? milliseconds(0) : HeartbeatMonitor::kSilence) {}

Status RangeWorker::Run() {
  for (;;) {
    FENSI_RETURN_IF_ERROR(parts_.go_on());
    FENSI_ASSIGN_OR_RETURN(const JobSnapshot view, parts_.board->Look());
    if (view.sum().done) return {};
    pace_ = view.job.pace;
    if (pace_.wish == Wish::kCancel) return CancelledJob();
    if (pace_.wish == Wish::kRun) FENSI_RETURN_IF_ERROR(WorkOnce(view));
    if (pace_.wish == Wish::kPause) FENSI_RETURN_IF_ERROR(Rest(nullptr, parts_.clock->MonotonicNow() + kPause));
  }
}

Status RangeWorker::WorkOnce(const JobSnapshot& view) {
  const milliseconds now = parts_.clock->MonotonicNow();
  FENSI_ASSIGN_OR_RETURN(std::optional<RangeLease> seat,
                         parts_.board->Take(view, &watch_, parts_.worker, random_(), now));
  if (!seat.has_value()) return Rest(nullptr, now + kPause);
  const Status status = WorkOn(&*seat);
  if (status.code() != StatusCode::kUnavailable) return status;
  return AfterFailure(status);
}

Status RangeWorker::WorkOn(RangeLease* seat) {
  left_ = unsaved_ = false;
  beaten_ = parts_.clock->MonotonicNow();
  saved_ = beaten_ - kSave;  // who is killed again and again gets a page further each time
  const Status status = Work(seat);
  return left_ ? Status() : status;
}

Status RangeWorker::AfterFailure(const Status& failure) {
  const milliseconds now = parts_.clock->MonotonicNow();
  if (!failing_since_) failing_since_ = now;
  if (now - *failing_since_ >= kGiveUpAfter) return failure;
  OnTrouble();
  return Rest(nullptr, now + kPause);
}

Status RangeWorker::Save(RangeLease* seat) {
  // M17: the broker has acknowledged everything below the position before the position is written.
  FENSI_RETURN_IF_ERROR(Flush());
  FENSI_RETURN_IF_ERROR(parts_.board->Advance(*seat));
  saved_ = parts_.clock->MonotonicNow();
  unsaved_ = false;
  failing_since_.reset();
  return {};
}

Status RangeWorker::Beat(RangeLease* seat) {
  beaten_ = parts_.clock->MonotonicNow();
  FENSI_ASSIGN_OR_RETURN(pace_, parts_.board->Beat(seat));
  left_ = seat->lost || pace_.wish != Wish::kRun;
  return left_ ? Left() : Status();
}

Status RangeWorker::GoOn(RangeLease* seat) {
  FENSI_RETURN_IF_ERROR(parts_.go_on());
  const milliseconds now = parts_.clock->MonotonicNow();
  return seat != nullptr && now - beaten_ >= kBeat ? Beat(seat) : Status();
}

Status RangeWorker::Rest(RangeLease* seat, milliseconds until) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(GoOn(seat));
    const milliseconds now = parts_.clock->MonotonicNow();
    if (seat != nullptr && unsaved_ && now - saved_ >= kSave) FENSI_RETURN_IF_ERROR(Save(seat));
    const bool held = seat != nullptr && Held();
    if (now >= until && !held) return {};
    parts_.clock->Sleep(held ? kAskPause : std::min(kAskPause, until - now));
  }
}

}  // namespace fensi::sweep
