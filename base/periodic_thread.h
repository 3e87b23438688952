// Calls a function again and again on a thread of its own, which it owns from construction to Stop.
//
// Whatever the function uses must outlive the thread: make it the last member of its owner.
#pragma once

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "base/mutex.h"

namespace fensi {

class PeriodicThread {
 public:
  /// Calls `work` after each period, and first after `first`. An exception, which is lack of memory, ends only its
  /// call.
  PeriodicThread(std::chrono::milliseconds period, std::function<void()> work, std::chrono::milliseconds first);
  PeriodicThread(std::chrono::milliseconds period, std::function<void()> work)
      : PeriodicThread(period, std::move(work), period) {}
  ~PeriodicThread() { Stop(); }
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;

  /// Blocks until a running call has ended; no other call begins. False if it was stopped before. Used by one thread at
  /// a time, and not by `work`.
  bool Stop();

 private:
  void Run(std::chrono::milliseconds pause);

  const std::chrono::milliseconds period_;
  const std::function<void()> work_;
  Mutex mu_;
  Condition changed_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace fensi
