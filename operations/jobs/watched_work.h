// Runs a command's work on a thread of its own, while the thread that waits for signals shows the progress.
#pragma once

#include <chrono>
#include <functional>

#include "base/status.h"

namespace fensi::operations {

/// Runs `work` and returns its result. Lack of memory ends the work (kInternal), not the process. Any thread.
Status Caught(const std::function<Status()>& work);

/// Runs `work` on a thread of its own and returns its result. Meanwhile calls `stop` for each stop signal, and `show`
/// many times a second. On the thread that waits for signals, after BlockStopSignals.
Status RunWatched(const std::function<Status()>& work, const std::function<void()>& stop,
                  const std::function<void()>& show);

/// The pause between two lines of progress; shorter if they are drawn over each other.
std::chrono::milliseconds ProgressPause(bool drawn);

}  // namespace fensi::operations
