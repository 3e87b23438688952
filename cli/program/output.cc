#include "cli/program/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace fensi::cli {

void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void Say(std::string_view text) {
  std::string line = "fensi: " + std::string(text) + "\n";
  // What a person typed or a server said must not steer the terminal.
  const auto steers = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; };
  std::replace_if(line.begin(), line.end(), steers, '?');
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Status FinishOutput() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return Status();
  const std::string reason = errno != 0 ? std::strerror(errno) : "unknown error";
  return Status(StatusCode::kInternal, "cannot write to standard output: " + reason);
}

bool StderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

std::string WithCommas(int64_t number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string DurationText(int64_t seconds) {
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " m " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " m";
}

std::string Counted(int64_t number, std::string_view singular) {
  std::string text = WithCommas(number) + " " + std::string(singular);
  return number == 1 ? text : text + "s";
}

}  // namespace fensi::cli
