#include "cli/reading/pager.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/program/output.h"

namespace fensi::cli {
namespace {

constexpr char kSpaces[] = " \t";
constexpr char kShellsOwn[] = "/'\"$\\;&|<>(){}";

const char* Variable(const char* name) { return std::getenv(name); }  // NOLINT(concurrency-mt-unsafe)

bool BeginsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// "A=b" in front of a command.
bool IsAssignment(std::string_view word) {
  const size_t equals = word.find('=');
  const auto of_name = [](char c) { return BeginsName(c) || (c >= '0' && c <= '9'); };
  if (equals == 0 || equals == std::string_view::npos || !BeginsName(word[0])) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), of_name);
}

/// The word that names the program, after assignments. Empty: there is none.
std::string_view ProgramOf(std::string_view command) {
  while (true) {
    command.remove_prefix(std::min(command.find_first_not_of(kSpaces), command.size()));
    const std::string_view word = command.substr(0, command.find_first_of(kSpaces));
    if (word.find_first_of(kShellsOwn) != std::string_view::npos || !IsAssignment(word)) return word;
    command.remove_prefix(word.size());
  }
}

/// Could the shell run this? What is more than words is for the shell to judge.
bool IsThere(std::string_view command) {
  const std::string word(ProgramOf(command));
  if (word.empty()) return false;
  if (word.find_first_of(kShellsOwn) != std::string::npos) return true;
  const char* path = Variable("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    if (access((std::string(rest.substr(0, colon)) + "/" + word).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return false;
}

/// As git has it: less ends by itself what fits on a screen, keeps colours, and leaves the text on the screen.
std::string WithHabits(const std::string& command) {
  return Variable("LESS") == nullptr ? "LESS=FRX; export LESS; " + command : command;
}

/// Runs in the child, between fork and exec.
[[noreturn]] void BecomePager(int input, const char* command) {
  std::signal(SIGPIPE, SIG_DFL);  // ours is not for it
  dup2(input, STDIN_FILENO);
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

Pager::Pager(bool wanted) {
  const char* given = Variable("PAGER");
  const std::string command = given == nullptr ? "less" : given;
  if (!wanted || !StdoutIsTerminal() || command.empty() || command == "cat") return;
  if (IsThere(command)) {
    Start(WithHabits(command).c_str());
  } else if (given != nullptr) {
    Say("there is no pager '" + command + "' (PAGER), so the output has no pager. Correct PAGER, or give --no_pager");
  }
}

Pager::~Pager() { Wait(); }

void Pager::Start(const char* command) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return;
  std::fflush(stdout);
  process_ = fork();
  if (process_ == 0) BecomePager(pipe_ends[0], command);
  if (process_ > 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    std::signal(SIGINT, SIG_IGN);
  }
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

int Pager::Wait() {
  if (!active()) return 0;
  std::fflush(stdout);
  close(STDOUT_FILENO);
  open("/dev/null", O_WRONLY | O_CLOEXEC);  // takes the lowest free number, which is that of standard output
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

Result<int> Pager::End(const Result<int>& outcome) {
  if (!active()) return outcome;
  constexpr int kNotRunnable = 126, kNotFound = 127;  // of every shell
  const bool left = !FinishOutput().ok();
  const int code = Wait();
  if (left) ForgetOutputError();
  if ((left || outcome.ok()) && (code == kNotRunnable || code == kNotFound)) {
    return InvalidArgument(
        "nothing is shown: the shell could not run the pager (PAGER). Correct PAGER, or give --no_pager");
  }
  return left ? Result<int>(0) : outcome;
}

}  // namespace fensi::cli
