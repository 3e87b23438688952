// One sub-command of the program: its name, its arguments and flags, and its function.
//
// Commands are values built once at start; nothing here blocks or needs a lock. A command lists the flags it takes;
// every other flag is refused, also those of libraries.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/exit_codes.h"
#include "base/status.h"

namespace fensi::cli {

using Arguments = std::vector<std::string>;

/// A flag that a command takes; its type, default and description come from its definition (cli/flags).
struct FlagUse {
  std::string name;
  bool required = false;
  bool hidden = false;  // for tests of the program; not in help and suggestions
  // For a command that differs from others; empty: those of the definition.
  std::string meaning;
  std::string standard;
};

/// The flags of these names, in this order: "store! kafka fault?". '!': required; '?': hidden.
std::vector<FlagUse> FlagUses(std::string_view names);

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
  /// Called with flags set and arguments counted. Returns an exit code, or the Status that main shows and turns into
  /// one.
  std::function<Result<int>(const Arguments&)> run;
};

/// Gives a flag of the command a meaning and a default of its own in help. An empty default is not shown.
void SetMeaning(Command* command, std::string_view flag, std::string meaning, std::string standard = "");

constexpr size_t kAnyNumber = static_cast<size_t>(-1);

/// Sets the commands, in the order of `fensi help`; once, before they are read.
void SetCommands(std::vector<Command> commands);
const std::vector<Command>& AllCommands();
/// Null: no such command.
const Command* FindCommand(std::string_view name);
/// "unknown command 'rum'; did you mean 'run'?"
std::string UnknownCommandText(std::string_view name);

}  // namespace fensi::cli
