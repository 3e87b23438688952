// Queries the daemons each second on a thread of its own, so that keys work while one of them is silent.
#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "operations/status/daemons.h"

namespace fensi::cli {

/// Thread-safe.
class DaemonPoller {
 public:
  DaemonPoller() : thread_([this] { Work(); }) {}
  /// Waits for a query in flight.
  ~DaemonPoller();
  DaemonPoller(const DaemonPoller&) = delete;
  DaemonPoller& operator=(const DaemonPoller&) = delete;

  /// The result since the last call, if there is one.
  std::optional<Result<operations::Daemons>> Take();

 private:
  void Work();

  Mutex mu_;
  Condition changed_;
  std::optional<Result<operations::Daemons>> answer_ ABSL_GUARDED_BY(mu_);
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::cli
