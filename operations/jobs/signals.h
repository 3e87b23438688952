// Receives SIGTERM, SIGINT and SIGHUP as events for one waiting thread.
#pragma once

#include <chrono>

namespace fensi::operations {

/// Blocks both stop signals in the calling thread and in every thread that it starts later, and ignores SIGPIPE: a
/// closed peer is an error of the writing call. Call it before any thread exists.
void BlockStopSignals();

/// Blocks SIGHUP in the same way, which would otherwise end the process. Call it before any thread exists.
void BlockReloadSignal();

/// As AwaitStopSignal, and SIGHUP if it is blocked.
int AwaitSignal(std::chrono::milliseconds timeout);

/// Blocks up to `timeout`; returns the signal's number, or 0. A signal within half a second after another one does not
/// count. One thread.
int AwaitStopSignal(std::chrono::milliseconds timeout);

/// True if a stop signal came, taken or not. Any thread.
bool StopIsAsked();

}  // namespace fensi::operations
