#include "cli/program/output.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace fensi::cli {

namespace {

std::atomic<int> print_error = 0;  // of the first failure: later calls may fail for its consequences

void Failed() {
  int none = 0;
  print_error.compare_exchange_strong(none, errno == 0 ? EIO : errno);
}

}  // namespace

void Print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) Failed();
}

std::string Harmless(std::string_view text) {
  std::string harmless;
  harmless.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool above_ascii = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F in UTF-8
    const bool steers = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F || above_ascii;
    harmless += steers ? '?' : text[i];
    if (above_ascii) ++i;
    if (byte == '\n' && next != ' ' && next != '\n' && next != 0) harmless += "  ";
  }
  return harmless;
}

void Say(std::string_view text) {
  const std::string line = "fensi: " + Harmless(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Status FinishOutput() {
  if (std::fflush(stdout) != 0) Failed();
  if (print_error == 0) return Status();
  return Status(StatusCode::kInternal, std::string("cannot write to standard output: ") + std::strerror(print_error));
}

void ForgetOutputError() { print_error = 0; }

bool StderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

bool StdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

std::string DurationText(int64_t seconds) {
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " m " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " m";
}

}  // namespace fensi::cli
