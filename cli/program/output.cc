#include "cli/program/output.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/shown_text.h"

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

void Say(std::string_view text) {
  const std::string line = "fensi: " + SanitizeForTerminal(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Status FinishOutput() {
  if (std::fflush(stdout) != 0) Failed();
  if (print_error == 0) return Status();
  return Status(StatusCode::kInternal,
                std::string("cannot write to standard output: ") + std::strerror(print_error) +
                    ". The output is incomplete. Check the disk, or the program that reads the output");
}

void ForgetOutputError() { print_error = 0; }

bool StderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

bool StdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

}  // namespace fensi::cli
