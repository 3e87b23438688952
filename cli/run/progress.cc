#include "cli/run/progress.h"

#include <cmath>

#include "base/counted.h"
#include "base/joined.h"
#include "cli/log/log.h"
#include "cli/program/drawn_line.h"
#include "cli/program/output.h"
#include "cli/run/watched_work.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;

std::string RateText(double per_second) { return WithCommas(std::llround(per_second)) + "/s"; }

/// What became of requests where it is not the usual thing.
std::string RequestsText(const indexer::Counters& counts) {
  std::string text;
  if (counts.stale_requests > 0) {
    text += WithCommas(counts.stale_requests) + " meant for the index as it was before it was made anew";
  }
  if (counts.unmappable_images > 0) {
    text +=
        (text.empty() ? "" : ", ") + Counted(counts.unmappable_images, "reason") + " why a scanned row lacks an entry";
  }
  return text.empty() ? "" : " (" + text + ")";
}

}  // namespace

ProgressReport::ProgressReport(const IndexRunList& runs, bool terminal, Clock* clock)
    : runs_(runs), terminal_(terminal), clock_(clock), start_(clock->SinceBoot()), last_(start_) {
  for (const auto& run : runs_.all()) paces_[run.get()].since = start_;
}

/// Of one that came by a reload the time counts from the first line that could tell of it.
ProgressReport::Pace& ProgressReport::PaceOf(const IndexRun& run) {
  const auto [found, fresh] = paces_.try_emplace(&run);
  if (fresh) found->second.since = clock_->SinceBoot();
  return found->second;
}

/// The first rates of a run are the best guess there is; later ones are smoothed over some seconds.
void ProgressReport::Measure(const IndexRun& run, milliseconds passed, double weight) {
  Pace& pace = PaceOf(run);
  const int64_t records = run.progress().records;
  const double newest = 1000.0 * static_cast<double>(records - pace.records) / static_cast<double>(passed.count());
  pace.per_second += (pace.per_second == 0 ? 1 : weight) * (newest - pace.per_second);
  pace.records = records;
}

void ProgressReport::Tick() {
  const bool drawing = terminal_ && LogIsText();
  const milliseconds now = clock_->SinceBoot();
  const milliseconds passed = now - last_;
  if (passed < ProgressPause(drawing)) return;
  last_ = now;
  std::string drawn;
  for (const auto& run : runs_.all()) {
    if (run->ended()) continue;
    Measure(*run, passed, drawing ? 0.2 : 0.5);
    const Words line = Line(*run);
    if (!drawing) Log("progress", line, {.index = run->name()});
    drawn += (drawn.empty() ? "" : "  |  ") + line.open();
  }
  if (drawing && !drawn.empty()) DrawProgress(drawn);
}

Words ProgressReport::Line(const IndexRun& run) {
  const consumer::ChangeSource::Progress progress = run.progress();
  const double rate = PaceOf(run).per_second;
  std::string text = "index " + run.name() + ": " + WithCommas(progress.records) + " events, " + RateText(rate);
  if (progress.records_left && *progress.records_left > 0) {
    text += ", " + WithCommas(*progress.records_left) + " left";
    const double seconds = static_cast<double>(*progress.records_left) / rate;
    if (rate >= 1) text += " (" + DurationText(static_cast<int64_t>(seconds)) + ")";
  }
  if (progress.requests_left > 0) text += ", " + Counted(progress.requests_left, "request") + " left";
  const int64_t letters = run.counts().dead_letters;
  if (letters > 0) text += ", " + Counted(letters, "dead letter");
  if (const std::string paused = run.paused(); !paused.empty()) text += "; paused: " + paused;
  const Words trouble = run.trouble();
  return trouble.empty() ? Words(text) : text + "; " + trouble;
}

std::string ProgressReport::EndOf(const IndexRun& run) {
  const milliseconds since = PaceOf(run).since;
  paces_.erase(&run);
  return SummaryText(run.name(), run.counts(), clock_->SinceBoot() - since) + UntouchedText(run.index(), run.counts());
}

bool IsOfOtherTables(const indexer::Counters& counts) { return counts.skipped > 0 && counts.events == counts.skipped; }

std::string UntouchedText(const mapping::Index& index, const indexer::Counters& counts) {
  const int64_t units = counts.units_cached + counts.units_skipped + counts.units_read;
  const int64_t done = counts.puts + counts.deletes + counts.dead_letters + counts.requests + counts.source_reads;
  if (counts.events == counts.skipped || units > 0 || done > 0) return "";
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
  if (counts.dead_letters > 0) text += ", " + Counted(counts.dead_letters, "dead letter");
  return text;
}

}  // namespace fensi::cli
