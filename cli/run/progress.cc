#include "cli/run/progress.h"

#include <cmath>

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

ProgressReport::ProgressReport(const Jobs& jobs, bool terminal, Clock* clock)
    : jobs_(jobs), terminal_(terminal), clock_(clock), start_(clock->SinceBoot()), last_(start_), rates_(jobs.size()) {}

void ProgressReport::Tick() {
  const milliseconds now = clock_->SinceBoot();
  const milliseconds passed = now - last_;
  if (passed < ProgressPause(terminal_)) return;
  last_ = now;
  std::string drawn;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i]->ended()) continue;
    const int64_t records = jobs_[i]->progress().records;
    const double newest =
        1000.0 * static_cast<double>(records - rates_[i].records) / static_cast<double>(passed.count());
    // The first rates of a run are the best guess there is; later ones are smoothed over some seconds.
    const double weight = rates_[i].per_second == 0 ? 1 : (terminal_ ? 0.2 : 0.5);
    rates_[i].per_second += weight * (newest - rates_[i].per_second);
    rates_[i].records = records;
    const Words line = Line(i);
    if (!terminal_) Log("progress", line, {.index = jobs_[i]->name()});
    drawn += (drawn.empty() ? "" : "  |  ") + line.open();
  }
  if (terminal_ && !drawn.empty()) DrawProgress(drawn);
}

Words ProgressReport::Line(size_t job) {
  const consumer::ChangeSource::Progress progress = jobs_[job]->progress();
  const double rate = rates_[job].per_second;
  std::string text = "index " + jobs_[job]->name() + ": " + WithCommas(progress.records) + " events, " + RateText(rate);
  if (progress.records_left && *progress.records_left > 0) {
    text += ", " + WithCommas(*progress.records_left) + " left";
    const double seconds = static_cast<double>(*progress.records_left) / rate;
    if (rate >= 1) text += " (" + DurationText(static_cast<int64_t>(seconds)) + ")";
  }
  if (progress.requests_left > 0) text += ", " + Counted(progress.requests_left, "request") + " left";
  const int64_t letters = jobs_[job]->counts().dead_letters;
  if (letters > 0) text += ", " + Counted(letters, "dead letter");
  if (const std::string paused = jobs_[job]->paused(); !paused.empty()) text += "; paused: " + paused;
  const Words trouble = jobs_[job]->trouble();
  return trouble.empty() ? Words(text) : text + "; " + trouble;
}

std::string ProgressReport::Summary(const IndexJob& job) const {
  return SummaryText(job.name(), job.counts(), clock_->SinceBoot() - start_);
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
