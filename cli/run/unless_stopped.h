// Waits for servers at the start of a command that obeys signals.
#pragma once

#include <unistd.h>

#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <utility>

#include "cli/program/output.h"
#include "cli/run/signals.h"

namespace fensi::cli {

/// What `work` returns; it runs on a thread of its own. When a stop signal comes first, what `stopped` returns is the
/// exit code of the process, at once: the answer that `work` waits for would be waited for otherwise. For where nothing
/// is in hand yet. On the thread that waits for signals, behind BlockStopSignals.
template <typename Work>
auto UnlessStopped(Work work, const std::function<int()>& stopped) {
  constexpr std::chrono::milliseconds kLook{20};
  auto done = std::async(std::launch::async, std::move(work));
  while (done.wait_for(kLook) != std::future_status::ready) {
    if (AwaitStopSignal(std::chrono::milliseconds(0)) != 0) _exit(stopped());
  }
  return done.get();
}

/// The same for a command that has done nothing yet: it says so, and its exit code is that of a stop.
template <typename Work>
auto UnlessStopped(Work work, const std::string& told) {
  return UnlessStopped(std::move(work), [&told] {
    Say(told);
    return ExitCode(StatusCode::kCancelled);
  });
}

}  // namespace fensi::cli
