// SIGTERM, SIGINT and SIGHUP as events that one thread waits for.
#pragma once

#include <chrono>

namespace fensi::cli {

/// Blocks both signals in the calling thread and in every thread it starts later, and ignores SIGPIPE: a peer that goes
/// away is an error of the call that writes. Call it before any thread exists.
void BlockStopSignals();

/// Blocks SIGHUP in the same way, which would end the process otherwise. Call it before any thread exists.
void BlockReloadSignal();

/// As AwaitStopSignal, and SIGHUP where it is blocked.
int AwaitSignal(std::chrono::milliseconds timeout);

/// Blocks up to `timeout`; the number of the signal that came, or 0. One that follows another within half a second is
/// no request of its own. One thread.
int AwaitStopSignal(std::chrono::milliseconds timeout);

/// A stop signal came, whether or not somebody has taken it. Any thread.
bool StopIsAsked();

}  // namespace fensi::cli
