#include "daemon/indexes/index_run_list.h"

#include <algorithm>

namespace fensi::daemon {

IndexRuns IndexRunList::all() const {
  const MutexLock lock(mu_);
  IndexRuns shown;
  for (const auto& run : runs_) {
    if (!leaving_.contains(run.get()) || !run->ended()) shown.push_back(run);
  }
  return shown;
}

bool IndexRunList::IsLeaving(const IndexRun* run) const {
  const MutexLock lock(mu_);
  return leaving_.contains(run) && !run->ended();
}

void IndexRunList::Start() {
  const MutexLock lock(mu_);
  started_ = true;
  for (const auto& run : runs_) run->Start();
}

bool IndexRunList::Change(const IndexRuns& come, const IndexRuns& go) {
  const MutexLock lock(mu_);
  if (closed_) return false;
  for (const auto& run : come) {
    runs_.push_back(run);
    if (started_) run->Start();
  }
  for (const auto& run : go) {
    leaving_.insert(run.get());
    run->Stop();
  }
  return true;
}

IndexRuns IndexRunList::TakeLeft() {
  const MutexLock lock(mu_);
  IndexRuns left, rest;
  for (auto& run : runs_) {
    const bool gone = leaving_.contains(run.get()) && run->ended();
    if (gone) leaving_.erase(run.get());
    (gone ? left : rest).push_back(std::move(run));
  }
  runs_ = std::move(rest);
  return left;
}

bool IndexRunList::CloseIfAllEnded() {
  const MutexLock lock(mu_);
  const bool all = std::all_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->ended(); });
  closed_ = closed_ || all;
  return all;
}

void IndexRunList::StopAll() {
  const MutexLock lock(mu_);
  closed_ = true;
  for (const auto& run : runs_) run->Stop();
}

}  // namespace fensi::daemon
