// The daemon's log: glog to stderr, one readable line each. Only `fensi run` uses it.
#pragma once

#include <string>
#include <string_view>

namespace fensi::cli {

/// "2026-01-31T12:00:00.123Z warning: text". Call it once, before any thread starts.
void StartDaemonLog();

/// Draws `line` over the last one drawn, when stderr is a terminal. Log lines are written above it. Any thread.
void DrawProgress(std::string_view line);
/// Removes what was drawn.
void ClearProgress();

}  // namespace fensi::cli
