// Limits how long a command may live after a stop signal.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/periodic_thread.h"

namespace fensi::operations {

/// Ends the process with the exit code of a stop if it lives 4 s longer than a stop signal, whatever it waits for. For
/// commands that may be run again. Use it after BlockStopSignals; it owns a thread from construction to destruction.
class StopLimit {
 public:
  static constexpr std::chrono::seconds kLongestStop{4};

  /// `command` works on `index`. `remedy` ends the message: what to do, and whether the work continues then.
  StopLimit(std::string command, std::string index, std::string remedy);

 private:
  void Look();

  const std::string command_;
  const std::string index_;
  const std::string remedy_;
  std::optional<std::chrono::steady_clock::time_point> asked_;  // used by thread_
  PeriodicThread thread_;
};

}  // namespace fensi::operations
