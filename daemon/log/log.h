// The log of the process: every line of `fensi run` and `fensi capture` after their start goes through Log to the
// console (stderr), as the settings say. docs/logs.md has the events.
//
// Any thread; blocks while stderr does.
#pragma once

#include <string>

#include "base/redactable_text.h"
#include "base/status.h"
#include "daemon/log/log_line.h"
#include "daemon/log/logger.h"

namespace fensi::daemon {

/// The log of a daemon, from its construction to the end of the process. Make one before any thread; the destructor
/// writes held lines.
class DaemonLog {
 public:
  explicit DaemonLog(const LogSettings& settings);
  ~DaemonLog();
  DaemonLog(const DaemonLog&) = delete;
  DaemonLog& operator=(const DaemonLog&) = delete;
};

/// Uses these settings from now on. The log level of Kafka's client stays as at the start.
void ChangeLog(const LogSettings& settings);

/// Writes a line; without a DaemonLog as text. Build a RedactableText of an error from its words(), so that quotations
/// stay marked.
void Log(Event event, const RedactableText& words, const LogFields& fields = {});
void Log(Event event, const std::string& text, const LogFields& fields = {});
/// Writes lines that were held long enough. Call it several times a second.
void TickLog();
/// Writes held lines. Call it before the process exits directly.
void FlushLog();

/// True if lines are for people, so that progress may be drawn between them.
bool LogIsText();

/// Reports the failure of a command: in its log, if it has begun one; else "fensi: command: message".
void TellFailure(const std::string& command, const Status& status);

}  // namespace fensi::daemon
