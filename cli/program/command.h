// One sub-command of the program: what it is called, what it takes, and what it does.
//
// Commands are values built once at start; nothing here blocks or needs a lock. A command lists the flags it takes;
// every other flag is refused, also those that libraries bring along.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace fensi::cli {

/// Exit codes that are answers and not errors; errors get theirs from ExitCode(StatusCode).
constexpr int kExitDone = 0;
constexpr int kExitDifference = 1;     // a failed example, input that was refused, an index that differs
constexpr int kExitNotComparable = 2;  // what differs, or whether anything does, cannot be said

using Arguments = std::vector<std::string>;

/// A flag that a command takes; its type, default and description come from its definition (cli/flags).
struct FlagUse {
  std::string name;
  bool required = false;
  bool hidden = false;  // for tests of the program; help and suggestions are silent about it
};

struct Example {
  std::string line;  // as typed
  std::string meaning;
};

struct Command {
  std::string name;
  std::string summary;    // one line of `fensi help`
  std::string arguments;  // "MAPPING…", as written in the usage line
  size_t min_arguments = 0;
  size_t max_arguments = 0;
  std::string description;  // the paragraph of `fensi help NAME`
  std::vector<FlagUse> flags;
  std::vector<Example> examples;
  /// Called with flags set and arguments counted. Exit code, or the Status that main shows and turns into one.
  std::function<Result<int>(const Arguments&)> run;
};

constexpr size_t kAnyNumber = static_cast<size_t>(-1);

/// Says which commands there are, in the order of `fensi help`; once, before the first question for them.
void SetCommands(std::vector<Command> commands);
const std::vector<Command>& AllCommands();
/// Null when there is none of that name.
const Command* FindCommand(std::string_view name);
/// "unknown command 'rum'; did you mean 'run'?"
std::string UnknownCommandText(std::string_view name);

}  // namespace fensi::cli
