// A log line of a watcher before it is written, so that watchers can be tested without a process. A value.
#pragma once

#include <string>

#include "daemon/log/log.h"

namespace fensi::daemon {

struct LogEntry {
  Event event;
  std::string text;  // without row data
  LogFields fields = {};
};

inline void Write(const LogEntry& entry) { Log(entry.event, entry.text, entry.fields); }

}  // namespace fensi::daemon
