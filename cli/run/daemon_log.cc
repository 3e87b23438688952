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

const char* SeverityWord(char first) {
  switch (first) {
    case 'I':
      return "";
    case 'W':
      return " warning:";
    default:
      return " error:";
  }
}

void WritePrefix(std::ostream& out, const google::LogMessageInfo& info, void*) {
  if (drawn.exchange(false)) out << kEraseLine;
  // glog puts a space behind the prefix.
  out << TimeText(SystemClock()->WallMillis()) << SeverityWord(info.severity[0]);
}

}  // namespace

void StartDaemonLog() {
  FLAGS_logtostderr = true;
  google::InitGoogleLogging("fensi", WritePrefix, nullptr);
}

void DrawProgress(std::string_view line) {
  const std::string text = kEraseLine + std::string(line);
  drawn = true;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void ClearProgress() {
  if (drawn.exchange(false)) std::fputs(kEraseLine, stderr);
}

}  // namespace fensi::cli
