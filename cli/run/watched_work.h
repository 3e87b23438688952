// Work that a command does on a thread of its own, while the thread that waits for signals tells how far it is.
#pragma once

#include <chrono>
#include <functional>

#include "base/status.h"

namespace fensi::cli {

/// What `work` returns. Lack of memory ends it (kInternal), not the process. Any thread.
Status Caught(const std::function<Status()>& work);

/// What `work` returns; it runs on a thread of its own. Meanwhile `stop` is called for each stop signal, and `show`
/// many times a second. On the thread that waits for signals, behind BlockStopSignals.
Status RunWatched(const std::function<Status()>& work, const std::function<void()>& stop,
                  const std::function<void()>& show);

/// How much time lies between two lines of progress; those that are drawn over each other may be more.
std::chrono::milliseconds ProgressPause(bool drawn);

}  // namespace fensi::cli
