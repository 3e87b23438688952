#include "daemon/status/progress.h"

#include <cmath>
#include <utility>

#include "base/shown_text.h"
#include "base/text.h"
#include "daemon/indexes/index_watch.h"
#include "daemon/log/log.h"
#include "operations/console/console.h"
#include "operations/jobs/watched_work.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;

std::string RateText(double per_second) { return WithCommas(std::llround(per_second)) + "/s"; }

constexpr milliseconds kRateWindow{10'000};

/// Why nothing moves, or why it has no partition; or nothing.
RedactableText WaitsFor(const IndexRun& run) {
  const RedactableText trouble = run.trouble();
  const std::optional<consumer::GroupState> group = run.group();
  return trouble.empty() && group ? RedactableText(WhyWithoutPartitions(*group)) : trouble;
}

/// Times and numbers in words change without anything new.
std::string WithoutDigits(std::string text) {
  std::erase_if(text, [](char each) { return each >= '0' && each <= '9'; });
  return text;
}

bool AnyLeft(const IndexRun& run) {
  const consumer::ChangeSource::Progress progress = run.progress();
  return progress.records_left.value_or(0) > 0 || progress.requests_left > 0;
}

/// `left`: at two looks one after the other, as at a single one it may be a mark that has just come.
IdleLines::Facts FactsOf(const IndexRun& run, bool left) {
  const indexer::Counters counts = run.counts();
  return {counts.events - counts.skipped + counts.requests,
          run.paused() + WithoutDigits(WaitsFor(run).open()) + (left ? " left" : "")};
}

/// The unusual results of requests.
std::string RequestsText(const indexer::Counters& counts) {
  std::string text;
  if (counts.stale_requests > 0) {
    text += WithCommas(counts.stale_requests) + " meant for the index as it was before it was created again";
  }
  if (counts.unmappable_images > 0) {
    text +=
        (text.empty() ? "" : ", ") + Counted(counts.unmappable_images, "reason") + " why a scanned row lacks an entry";
  }
  return text.empty() ? "" : " (" + text + ")";
}

}  // namespace

ProgressReport::ProgressReport(const IndexRunList& runs, bool terminal, Clock* clock)
    : runs_(runs), terminal_(terminal), clock_(clock), last_(clock->MonotonicNow()) {
  for (const auto& run : runs_.all()) PaceOf(*run);
}

/// For an index of a reload the time counts from the first line that could report it.
ProgressReport::Pace& ProgressReport::PaceOf(const IndexRun& run) {
  const auto [found, fresh] = paces_.try_emplace(&run);
  if (fresh) {
    found->second.since = clock_->MonotonicNow();
    found->second.rate.Next(0, found->second.since);
  }
  return found->second;
}

void ProgressReport::Tick() {
  const bool drawing = terminal_ && LogIsText();
  const milliseconds now = clock_->MonotonicNow();
  if (now - last_ < operations::ProgressPause(drawing)) return;
  last_ = now;
  std::string drawn;
  for (const auto& run : runs_.all()) {
    if (run->ended()) continue;
    Pace& pace = PaceOf(*run);
    const RedactableText line = Line(*run, pace.rate.Next(run->progress().records, now));
    const bool left = AnyLeft(*run);
    const bool still_left = std::exchange(pace.left, left) && left;
    if (!drawing && pace.lines.IsNew(FactsOf(*run, still_left), now)) Log("progress", line, {.index = run->name()});
    drawn += (drawn.empty() ? "" : "  |  ") + line.open();
  }
  if (drawing && !drawn.empty()) operations::DrawProgress(drawn);
}

double RecentRate::Next(int64_t records, milliseconds now) {
  samples_.push_back({now, records});
  while (samples_.size() > 2 && samples_[1].at <= now - kRateWindow) samples_.pop_front();
  const Sample& first = samples_.front();
  const double seconds = static_cast<double>((now - first.at).count()) / 1000.0;
  return seconds > 0 ? static_cast<double>(records - first.records) / seconds : 0;
}

bool IdleLines::IsNew(Facts facts, milliseconds now) {
  const bool again = !facts.waiting.empty() && now - at_ >= kReminder;
  if (told_ == facts && !again) return false;
  told_ = std::move(facts);
  at_ = now;
  return true;
}

RedactableText ProgressReport::Line(const IndexRun& run, double per_second) {
  const consumer::ChangeSource::Progress progress = run.progress();
  std::string text = "index " + run.name() + ": " + WithCommas(progress.records) + " events, " + RateText(per_second);
  if (progress.records_left && *progress.records_left > 0) {
    text += ", " + WithCommas(*progress.records_left) + " left";
    const double seconds = static_cast<double>(*progress.records_left) / per_second;
    if (per_second >= 1) text += " (" + DurationText(static_cast<int64_t>(seconds)) + ")";
  }
  if (progress.requests_left > 0) text += ", " + Counted(progress.requests_left, "request") + " left";
  const int64_t letters = run.counts().dead_letters;
  if (letters > 0) text += ", " + Counted(letters, "dead letter");
  if (const std::string paused = run.paused(); !paused.empty()) text += "; paused: " + paused;
  const RedactableText waits = WaitsFor(run);
  return waits.empty() ? RedactableText(text) : text + "; " + waits;
}

std::string ProgressReport::EndOf(const IndexRun& run) {
  const milliseconds since = PaceOf(run).since;
  paces_.erase(&run);
  return SummaryText(run.name(), run.counts(), clock_->MonotonicNow() - since) +
         UntouchedText(run.index(), run.counts());
}

bool IsOfOtherTables(const indexer::Counters& counts) { return counts.skipped > 0 && counts.events == counts.skipped; }

std::string UntouchedText(const mapping::Index& index, const indexer::Counters& counts) {
  if (counts.events == counts.skipped || !TouchedNothing(counts)) return "";
  return "; none of them has a cell that the index watches (" + Joined(WatchTexts(index.watches())) + ")";
}

std::string SummaryText(const std::string& index, const indexer::Counters& counts, milliseconds passed) {
  const double seconds = static_cast<double>(passed.count()) / 1000.0;
  std::string text =
      "index " + index + ": " + Counted(counts.events, "event") + " in " + DurationText(std::llround(seconds));
  if (seconds >= 1) text += " (" + RateText(static_cast<double>(counts.events) / seconds) + ")";
  text += ": " + Counted(counts.puts, "put") + ", " + Counted(counts.deletes, "delete");
  if (counts.skipped > 0) text += ", " + Counted(counts.skipped, "event") + " of other tables skipped";
  if (counts.requests > 0) text += ", " + Counted(counts.requests, "request") + RequestsText(counts);
  if (counts.changelog_messages > 0) text += ", " + Counted(counts.changelog_messages, "changelog message");
  if (counts.dead_letters > 0) text += ", " + Counted(counts.dead_letters, "dead letter");
  return text;
}

}  // namespace fensi::daemon
