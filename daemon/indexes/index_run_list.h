// The indexes that this process runs, from its start and from reloads.
//
// Thread-safe, and never blocks. Callers share the runs: a run is destroyed only when no caller uses it any more. The
// reloading thread adds runs; only the main thread removes, joins and destroys them.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "base/mutex.h"
#include "daemon/indexes/index_run.h"

namespace fensi::daemon {

using IndexRuns = std::vector<std::shared_ptr<IndexRun>>;

class IndexRunList {
 public:
  explicit IndexRunList(IndexRuns runs = {}) : runs_(std::move(runs)) {}

  /// All runs that are shown: without those that were removed and have ended.
  IndexRuns all() const;
  /// True if it was removed, and has not ended yet.
  bool IsLeaving(const IndexRun* run) const;
  /// Starts the existing runs; later ones start at once.
  void Start();
  /// Adds and starts `come`, and stops `go`, which are removed when they have ended. False, without any effect: the
  /// process is ending.
  bool Change(const IndexRuns& come, const IndexRuns& go);
  /// Takes the removed runs that have ended.
  IndexRuns TakeLeft();
  /// True if all have ended; then no more may be added.
  bool CloseIfAllEnded();
  /// Stops all; no more may be added.
  void StopAll();

 private:
  mutable Mutex mu_;
  IndexRuns runs_ ABSL_GUARDED_BY(mu_);
  std::set<const IndexRun*> leaving_ ABSL_GUARDED_BY(mu_);
  bool started_ ABSL_GUARDED_BY(mu_) = false;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::daemon
