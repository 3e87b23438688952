#include "cli/run/daemon_log.h"

#include <glog/logging.h>

#include <atomic>
#include <cstdio>

#include "base/clock.h"
#include "cli/access/position.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

constexpr char kEraseLine[] = "\r\x1b[K";

std::atomic<bool> drawn = false;

const char* SeverityWord(google::LogSeverity severity) {
  switch (severity) {
    case google::GLOG_INFO:
      return "";
    case google::GLOG_WARNING:
      return " warning:";
    default:
      return " error:";
  }
}

/// The only one that writes: whatever is logged, and wherever its words come from, is made harmless.
class Lines final : public google::LogSink {
 public:
  void send(google::LogSeverity severity, const char*, const char*, int, const google::LogMessageTime&,
            const char* message, size_t size) override {
    const std::string line = (drawn.exchange(false) ? kEraseLine : "") + TimeText(SystemClock()->WallMillis()) +
                             SeverityWord(severity) + " " + Harmless({message, size}) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
};

}  // namespace

void StartDaemonLog() {
  static Lines lines;
  google::InitGoogleLogging("fensi");
  for (int severity = 0; severity < google::NUM_SEVERITIES; ++severity) google::SetLogDestination(severity, "");
  google::SetStderrLogging(google::NUM_SEVERITIES);
  google::AddLogSink(&lines);
}

void DrawProgress(std::string_view line) {
  const std::string text = kEraseLine + Harmless(line);
  drawn = true;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void ClearProgress() {
  if (drawn.exchange(false)) std::fputs(kEraseLine, stderr);
}

}  // namespace fensi::cli
