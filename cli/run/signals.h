// SIGTERM and SIGINT as events that one thread waits for.
#pragma once

#include <chrono>

namespace fensi::cli {

/// Blocks both signals in the calling thread and in every thread it starts later, and ignores SIGPIPE: a peer that goes
/// away is an error of the call that writes. Call it before any thread exists.
void BlockStopSignals();

/// Blocks up to `timeout`; the number of the signal that came, or 0. One that follows another within half a second is
/// no request of its own. One thread.
int AwaitStopSignal(std::chrono::milliseconds timeout);

}  // namespace fensi::cli
