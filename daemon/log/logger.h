// Filters, holds or writes the lines of the log, in the configured form, with or without quoted row data.
//
// Thread-safe; blocks while its writer does.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/redactable_text.h"
#include "daemon/log/log_window.h"

namespace fensi::daemon {

struct LogSettings {
  bool json = false;
  LogLevel least = LogLevel::kInfo;
  std::chrono::milliseconds window{0};  // 0: nothing is held
  bool rows = false;                    // also writes row keys, values and literals of mappings
};

class Logger {
 public:
  /// `write` gets whole lines, one at a time. `clock` outlives the logger.
  Logger(const LogSettings& settings, Clock* clock, std::function<void(const std::string&)> write)
      : clock_(clock), write_(std::move(write)), settings_(settings), window_(settings.window) {}

  void Log(Event event, const RedactableText& words, const LogFields& fields);
  /// Writes lines that were held long enough. Call it several times a second.
  void Tick();
  /// Writes held lines.
  void Flush();

  LogSettings settings() const;
  /// Uses new settings from now on; first writes held lines.
  void Change(const LogSettings& settings);

 private:
  void WriteHeld(std::vector<LogLine> lines) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  std::string Formed(const LogLine& line) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Clock* const clock_;
  const std::function<void(const std::string&)> write_;
  mutable Mutex mu_;
  LogSettings settings_ ABSL_GUARDED_BY(mu_);
  LogWindow window_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::daemon
