// Waits for servers at the start of a command that obeys signals.
#pragma once

#include <unistd.h>

#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <utility>

#include "operations/console/console.h"
#include "operations/jobs/signals.h"

namespace fensi::operations {

/// Runs `work` on a thread of its own and returns its result. If a stop signal comes first, the process ends at once
/// with the exit code that `stopped` returns, because the answer for which `work` waits could take long. Only while
/// nothing is in flight. On the thread that waits for signals, after BlockStopSignals.
template <typename Work>
auto UnlessStopped(Work work, const std::function<int()>& stopped) {
  constexpr std::chrono::milliseconds kLook{20};
  auto done = std::async(std::launch::async, std::move(work));
  while (done.wait_for(kLook) != std::future_status::ready) {
    if (AwaitStopSignal(std::chrono::milliseconds(0)) != 0) _exit(stopped());
  }
  return done.get();
}

/// The same for a command that has done nothing yet: reports that, with the exit code of a stop.
template <typename Work>
auto UnlessStopped(Work work, const std::string& told) {
  return UnlessStopped(std::move(work), [&told] {
    Say(told);
    return ExitCode(StatusCode::kCancelled);
  });
}

}  // namespace fensi::operations
