// The indexes that this process runs: those it began with, and what reloads made of them.
//
// Thread-safe, and never blocks. Who asks for the runs shares them: one that leaves is gone for everybody only when
// nobody works with it any more. Runs come by the thread that reloads, and are taken away, joined and destroyed by
// the main thread alone.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "base/mutex.h"
#include "cli/run/index_run.h"

namespace fensi::cli {

using IndexRuns = std::vector<std::shared_ptr<IndexRun>>;

class IndexRunList {
 public:
  explicit IndexRunList(IndexRuns runs = {}) : runs_(std::move(runs)) {}

  /// Those that it shows: all but what has ended and leaves.
  IndexRuns all() const;
  /// Leaves, and has not ended yet.
  bool IsLeaving(const IndexRun* run) const;
  /// Starts what is there, and whatever comes later at once.
  void Start();
  /// Adds and starts `come`, and stops `go`, which leave when they have ended. False, and nothing is done: no more may
  /// come, because the process ends.
  bool Change(const IndexRuns& come, const IndexRuns& go);
  /// Takes away those that leave and have ended.
  IndexRuns TakeLeft();
  /// When all have ended, no more may come from here on, and it is true.
  bool CloseIfAllEnded();
  /// No more may come, and all are stopped.
  void StopAll();

 private:
  mutable Mutex mu_;
  IndexRuns runs_ ABSL_GUARDED_BY(mu_);
  std::set<const IndexRun*> leaving_ ABSL_GUARDED_BY(mu_);
  bool started_ ABSL_GUARDED_BY(mu_) = false;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::cli
