// A thread that works with a session of ZooKeeper. A server that is silent must not keep the process from its end: the
// thread is waited for only so long, and left behind then.
//
// Start and Stop belong to one thread. Telling the work that it is time to end is its owner's, before Stop.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace fensi::capture {

class SessionThread {
 public:
  /// Once. `work` keeps alive all that it uses, and this object.
  void Start(std::function<void()> work);
  /// Blocks until the work has ended, or up to `timeout`. Does nothing when nothing was started.
  void Stop(std::chrono::milliseconds timeout);

 private:
  std::thread thread_;
  Mutex mu_;
  Condition changed_;
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::capture
