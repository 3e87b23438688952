#include "cli/run/job_list.h"

#include <algorithm>

namespace fensi::cli {

Jobs JobList::all() const {
  const MutexLock lock(mu_);
  Jobs shown;
  for (const auto& job : jobs_) {
    if (!leaving_.contains(job.get()) || !job->ended()) shown.push_back(job);
  }
  return shown;
}

bool JobList::IsLeaving(const IndexJob* job) const {
  const MutexLock lock(mu_);
  return leaving_.contains(job) && !job->ended();
}

void JobList::Start() {
  const MutexLock lock(mu_);
  started_ = true;
  for (const auto& job : jobs_) job->Start();
}

bool JobList::Change(const Jobs& come, const Jobs& go) {
  const MutexLock lock(mu_);
  if (closed_) return false;
  for (const auto& job : come) {
    jobs_.push_back(job);
    if (started_) job->Start();
  }
  for (const auto& job : go) {
    leaving_.insert(job.get());
    job->Stop();
  }
  return true;
}

Jobs JobList::TakeLeft() {
  const MutexLock lock(mu_);
  Jobs left, rest;
  for (auto& job : jobs_) {
    const bool gone = leaving_.contains(job.get()) && job->ended();
    if (gone) leaving_.erase(job.get());
    (gone ? left : rest).push_back(std::move(job));
  }
  jobs_ = std::move(rest);
  return left;
}

bool JobList::CloseIfAllEnded() {
  const MutexLock lock(mu_);
  const bool all = std::all_of(jobs_.begin(), jobs_.end(), [](const auto& job) { return job->ended(); });
  closed_ = closed_ || all;
  return all;
}

void JobList::StopAll() {
  const MutexLock lock(mu_);
  closed_ = true;
  for (const auto& job : jobs_) job->Stop();
}

}  // namespace fensi::cli
