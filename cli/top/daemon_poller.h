// Queries the daemons each second on a thread of its own, so that keys work while one of them is silent.
#pragma once

#include <optional>

#include "base/mutex.h"
#include "base/periodic_thread.h"
#include "operations/status/daemons.h"

namespace fensi::cli {

/// Thread-safe. The destructor waits for a query in flight.
class DaemonPoller {
 public:
  DaemonPoller();

  /// The result since the last call, if there is one.
  std::optional<Result<operations::Daemons>> Take();

 private:
  void Ask();

  Mutex mu_;
  std::optional<Result<operations::Daemons>> answer_ ABSL_GUARDED_BY(mu_);
  PeriodicThread thread_;
};

}  // namespace fensi::cli
