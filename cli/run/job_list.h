// The indexes that this process runs: those it began with, and what reloads made of them.
//
// Thread-safe, and never blocks. Who asks for the jobs shares them: one that leaves is gone for everybody only when
// nobody works with it any more. Jobs come by the thread that reloads, and are taken away, joined and destroyed by the
// main thread alone.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "base/mutex.h"
#include "cli/run/index_job.h"

namespace fensi::cli {

using Jobs = std::vector<std::shared_ptr<IndexJob>>;

class JobList {
 public:
  explicit JobList(Jobs jobs = {}) : jobs_(std::move(jobs)) {}

  /// Those that it shows: all but what has ended and leaves.
  Jobs all() const;
  /// Leaves, and has not ended yet.
  bool IsLeaving(const IndexJob* job) const;
  /// Starts what is there, and whatever comes later at once.
  void Start();
  /// Adds and starts `come`, and stops `go`, which leave when they have ended. False, and nothing is done: no more may
  /// come, because the process ends.
  bool Change(const Jobs& come, const Jobs& go);
  /// Takes away those that leave and have ended.
  Jobs TakeLeft();
  /// When all have ended, no more may come from here on, and it is true.
  bool CloseIfAllEnded();
  /// No more may come, and all are stopped.
  void StopAll();

 private:
  mutable Mutex mu_;
  Jobs jobs_ ABSL_GUARDED_BY(mu_);
  std::set<const IndexJob*> leaving_ ABSL_GUARDED_BY(mu_);
  bool started_ ABSL_GUARDED_BY(mu_) = false;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::cli
