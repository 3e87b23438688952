// Limits how long a command may live after a stop signal.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace fensi::operations {

/// Ends the process with the exit code of a stop if it lives 4 s longer than a stop signal, whatever it waits for. For
/// commands whose work the same command line continues. Use it after BlockStopSignals; it owns a thread from
/// construction to destruction.
class StopLimit {
 public:
  static constexpr std::chrono::seconds kLongestStop{4};

  explicit StopLimit(std::string command);
  ~StopLimit();
  StopLimit(const StopLimit&) = delete;
  StopLimit& operator=(const StopLimit&) = delete;

 private:
  void Run();

  const std::string command_;
  Mutex mu_;
  Condition changed_;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::operations
