#include "cli/run/progress.h"

#include <glog/logging.h>

#include "cli/program/output.h"
#include "cli/run/daemon_log.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTerminalPause{500};
constexpr milliseconds kLogPause{10'000};

std::string RateText(double per_second) { return WithCommas(static_cast<int64_t>(per_second + 0.5)) + "/s"; }

}  // namespace

ProgressReport::ProgressReport(const Jobs& jobs, bool terminal, Clock* clock)
    : jobs_(jobs), terminal_(terminal), clock_(clock), start_(clock->SinceBoot()), last_(start_), rates_(jobs.size()) {}

void ProgressReport::Tick() {
  const milliseconds now = clock_->SinceBoot();
  const milliseconds passed = now - last_;
  if (passed < (terminal_ ? kTerminalPause : kLogPause)) return;
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
    const std::string line = Line(i);
    if (!terminal_) LOG(INFO) << line;
    drawn += (drawn.empty() ? "" : "  |  ") + line;
  }
  if (terminal_ && !drawn.empty()) DrawProgress(drawn);
}

std::string ProgressReport::Line(size_t job) {
  const consumer::ChangeSource::Progress progress = jobs_[job]->progress();
  const double rate = rates_[job].per_second;
  std::string text = "index " + jobs_[job]->name() + ": " + WithCommas(progress.records) + " events, " + RateText(rate);
  if (progress.records_left && *progress.records_left > 0) {
    text += ", " + WithCommas(*progress.records_left) + " left";
    const double seconds = static_cast<double>(*progress.records_left) / rate;
    if (rate >= 1) text += " (" + DurationText(static_cast<int64_t>(seconds)) + ")";
  }
  const int64_t letters = jobs_[job]->counts().dead_letters;
  if (letters > 0) text += ", " + Counted(letters, "dead letter");
  const std::string trouble = jobs_[job]->trouble();
  if (!trouble.empty()) text += "; " + trouble;
  return text;
}

std::string ProgressReport::Summary(const IndexJob& job) const {
  const indexer::IndexRunner::Counts counts = job.counts();
  const double passed = static_cast<double>((clock_->SinceBoot() - start_).count()) / 1000.0;
  std::string text = "index " + job.name() + ": " + Counted(counts.events, "event") + " in " +
                     DurationText(static_cast<int64_t>(passed + 0.5));
  if (passed >= 1) text += " (" + RateText(static_cast<double>(counts.events) / passed) + ")";
  text += ": " + Counted(counts.puts, "put") + ", " + Counted(counts.deletes, "delete");
  if (counts.skipped > 0) text += ", " + Counted(counts.skipped, "event") + " of other tables skipped";
  if (counts.dead_letters > 0) text += ", " + Counted(counts.dead_letters, "dead letter");
  return text;
}

}  // namespace fensi::cli
