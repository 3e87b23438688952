// Asks the daemons each second on a thread of its own, so that keys are heeded while one of them is silent.
#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "cli/status/daemons.h"

namespace fensi::cli {

/// Thread-safe.
class Asker {
 public:
  Asker() : thread_([this] { Work(); }) {}
  /// Waits for an answer that is awaited.
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  /// What came since the last call, if anything did.
  std::optional<Result<Daemons>> Take();

 private:
  void Work();

  Mutex mu_;
  Condition changed_;
  std::optional<Result<Daemons>> answer_ ABSL_GUARDED_BY(mu_);
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::cli
