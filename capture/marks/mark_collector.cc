#include "capture/marks/mark_collector.h"

#include <utility>

namespace fensi::capture {

void MarkCollector::Add(const CallMarkers& markers) {
  const int64_t latest = clock_->WallMillis() + kMostAhead;
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  const MutexLock lock(mu_);
  if (!first_call_) first_call_ = now;
  all_report_ = all_report_.value_or(true) && markers.reports_bulk_loads();
  for (consumer::Mark::Call& call : markers.calls()) {
    any_ = true;
    if (call.last > latest) {
      ahead_ = call.server;
      continue;
    }
    if (ahead_ == call.server) ahead_.clear();
    if (calls_.size() < kMostCalls) calls_.push_back(std::move(call));
  }
}

std::vector<consumer::Mark::Call> MarkCollector::Take() {
  const MutexLock lock(mu_);
  return std::exchange(calls_, {});
}

consumer::Mark::BulkLoads MarkCollector::TakeBulkLoads() {
  using BulkLoads = consumer::Mark::BulkLoads;
  const MutexLock lock(mu_);
  if (all_report_) bulk_loads_ = *all_report_ ? BulkLoads::kReported : BulkLoads::kNotReported;
  all_report_.reset();
  return bulk_loads_;
}

bool MarkCollector::any() const {
  const MutexLock lock(mu_);
  return any_;
}

std::optional<std::chrono::milliseconds> MarkCollector::unmarked_since() const {
  const MutexLock lock(mu_);
  return any_ ? std::nullopt : first_call_;
}

std::string MarkCollector::ahead() const {
  const MutexLock lock(mu_);
  return ahead_;
}

}  // namespace fensi::capture
