// Runs a thread that uses a ZooKeeper session. A silent server must not keep the process from its end: the thread is
// waited for only for a time, and abandoned then.
//
// Start and Stop belong to one thread. The owner tells the work to end before Stop.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace fensi::capture {

class SessionThread {
 public:
  /// Once. `work` keeps alive everything that it uses, and this object.
  void Start(std::function<void()> work);
  /// Blocks until the work has ended, or up to `timeout`. Does nothing if nothing was started.
  void Stop(std::chrono::milliseconds timeout);

 private:
  std::thread thread_;
  Mutex mu_;
  Condition changed_;
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::capture
