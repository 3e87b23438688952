#include "cli/reading/pager.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/program/output.h"

namespace fensi::cli {
namespace {

/// Could the shell run the first word of this? What is more than a word is for the shell to judge.
bool IsThere(std::string_view command) {
  const std::string word(command.substr(0, command.find_first_of(" \t")));
  if (word.find_first_of("/'\"$\\;&|<>(){}") != std::string::npos) return true;
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    if (access((std::string(rest.substr(0, colon)) + "/" + word).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return false;
}

const char* Variable(const char* name) { return std::getenv(name); }  // NOLINT(concurrency-mt-unsafe)

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
    Say("there is no pager '" + command + "' (PAGER): shown without");
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

void Pager::Wait() {
  if (!active()) return;
  std::fflush(stdout);
  close(STDOUT_FILENO);
  open("/dev/null", O_WRONLY | O_CLOEXEC);  // takes the lowest free number, which is that of standard output
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

Result<int> Pager::End(const Result<int>& outcome) {
  if (!active()) return outcome;
  const bool left = !FinishOutput().ok();
  Wait();
  if (left) ForgetOutputError();
  return left ? Result<int>(0) : outcome;
}

}  // namespace fensi::cli
