// The log of the process: every line that `fensi run` and `fensi capture` write once they have begun goes through Log,
// to stderr, as --log_format, --log_level, --log_window_s and --log_rows want it. docs/logs.md has the events.
//
// Any thread; blocks while stderr does.
#pragma once

#include <string>

#include "base/status.h"
#include "base/words.h"
#include "cli/log/log_line.h"

namespace fensi::cli {

/// The log of a daemon, from here to the end of the process. Make one before any thread; when it goes, what is held is
/// written.
class DaemonLog {
 public:
  DaemonLog();
  ~DaemonLog();
  DaemonLog(const DaemonLog&) = delete;
  DaemonLog& operator=(const DaemonLog&) = delete;
};

/// The flags of the log have other values: they count from here on. What Kafka's client says by itself is told as at
/// the start.
void ChangeLog();

/// Without a DaemonLog before it: as text, whatever the flags say. Words that are made of an error's are its words(),
/// so that what they quote is known.
void Log(Event event, const Words& words, const LogFields& fields = {});
void Log(Event event, const std::string& text, const LogFields& fields = {});
/// Writes what was held long enough. Call it several times a second.
void TickLog();
/// Writes what is held. Before the process ends where it is.
void FlushLog();

/// Lines are for people, and progress may be drawn between them.
bool LogIsText();

/// How a command ends that failed: in its log, if it has begun one; else "fensi: command: message".
void TellFailure(const std::string& command, const Status& status);

}  // namespace fensi::cli
