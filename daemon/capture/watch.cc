#include "daemon/capture/watch.h"

#include <utility>

#include "base/text.h"
#include "daemon/log/log.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kReportPause{10'000};
constexpr milliseconds kFirstHint{20'000};
constexpr milliseconds kHintPause{60'000};
constexpr milliseconds kSameHintPause{300'000};

}  // namespace

CaptureWatch::CaptureWatch(const capture::Capture* capture, CaptureSettings settings, CaptureFacts facts, Clock* clock)
    : capture_(capture),
      settings_(std::move(settings)),
      facts_(std::move(facts)),
      clock_(clock),
      start_(clock->MonotonicNow()),
      next_report_(start_ + kReportPause),
      next_hint_(start_ + kFirstHint) {}

void CaptureWatch::Tick() {
  const milliseconds now = clock_->MonotonicNow();
  if (now >= next_report_) {
    next_report_ = now + kReportPause;
    Report();
  }
  if (now >= next_hint_ && !hints_.valid()) {
    next_hint_ = now + kHintPause;
    Hint();
  }
  if (hints_.valid() && hints_.wait_for(milliseconds(0)) == std::future_status::ready) {
    TellHints(hints_.get());
  }
}

void CaptureWatch::Report() {
  const int64_t events = capture_->counts().events;
  const int64_t rate = (events - reported_events_) * 1000 / kReportPause.count();
  reported_events_ = events;
  std::string line = Line();
  if (line == reported_) return;
  reported_ = line;
  Log("capture_progress", line + (rate > 0 ? " (" + WithCommas(rate) + " events/s)" : ""));
}

/// Looks for the cause until the first change has arrived, and again when no call comes any more. From then on only
/// faults of the peer are told, because a table may be quiet.
void CaptureWatch::Hint() {
  const capture::Counts counts = capture_->counts();
  facts_.arrived = counts.events > 0;
  const bool silent = std::exchange(hinted_calls_, counts.calls) == counts.calls;
  if (facts_.arrived && !silent) return told_.clear();
  facts_.connections_ever = capture_->connections_ever();
  facts_.nameless_ever = capture_->nameless_ever();
  hints_ = std::async(std::launch::async, [settings = settings_, facts = facts_] { return HintsNow(settings, facts); });
}

void CaptureWatch::TellHints(const std::vector<std::string>& hints) {
  const milliseconds now = clock_->MonotonicNow();
  if (hints == told_ && now < tell_again_) return;
  told_ = hints;
  tell_again_ = now + kSameHintPause;
  for (const std::string& hint : hints) Log("nothing_arrives", "nothing arrives: " + hint);
}

std::string CaptureWatch::Line() const {
  const capture::Counts counts = capture_->counts();
  std::string text = "capture: " + Counted(counts.events, "event") + ", " + Counted(counts.cells, "cell") + " in " +
                     Counted(counts.calls, "call") + "; " + Counted(capture_->connections(), "connection");
  if (counts.again > 0) text += "; " + WithCommas(counts.again) + " entries came again";
  if (counts.of_other_tables > 0) text += "; " + WithCommas(counts.of_other_tables) + " entries of other tables";
  if (counts.failed_calls > 0) text += "; " + Counted(counts.failed_calls, "failed call");
  if (counts.alarms() > 0) text += "; " + Counted(counts.alarms(), "ALARM");
  const std::string trouble = capture_->trouble();
  return trouble.empty() ? text : text + "; " + trouble;
}

std::string CaptureWatch::Summary() const { return Line(); }

}  // namespace fensi::daemon
