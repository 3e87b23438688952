// Runs the threads of one process that work on a job's ranges, until nothing is left, one of them fails, or a person
// stops it.
#pragma once

#include <atomic>
#include <functional>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"

namespace fensi::operations {

class JobWorkers {
 public:
  /// Why the work must end: the first failure, or kCancelled after a stop. Any thread.
  Status GoOn() const;
  /// The second call ends the process at once. Any thread.
  void Stop();
  /// Keeps only the first failure. Any thread.
  void Fail(const Status& status);

  /// Blocks: runs `work` on each of `count` threads, and on this one `watch` every two seconds, until all threads
  /// ended. A failure or an exception of either ends all through GoOn, whose status is returned.
  Status Run(int count, Clock* clock, const std::function<Status()>& work, const std::function<Status()>& watch);

 private:
  std::atomic<bool> stopped_{false};
  std::atomic<int> running_{0};
  mutable Mutex mu_;
  Status failure_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::operations
