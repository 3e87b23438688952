// A line that a watcher wants in the log, before it is written: so that watchers are tried without a process. A value.
#pragma once

#include <string>

#include "cli/log/log.h"

namespace fensi::cli {

struct LogEntry {
  Event event;
  std::string text;  // quotes nothing of rows
  LogFields fields = {};
};

inline void Write(const LogEntry& entry) { Log(entry.event, entry.text, entry.fields); }

}  // namespace fensi::cli
