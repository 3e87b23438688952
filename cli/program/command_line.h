// From argv to a command with its flags set, or to every fault of the line at once. Pure but for gflags' own registry.
//
// Grammar: fensi COMMAND [argument | --flag=value | --flag value | --switch | --noswitch]… [-- argument…]. Dashes
// inside a flag's name count as underscores.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/program/command.h"

namespace fensi::cli {

struct FlagSetting {
  std::string name;
  std::string value;
};

struct CommandLine {
  const Command* command = nullptr;
  Arguments arguments;
  std::vector<FlagSetting> settings;  // list flags given several times are joined by commas
  bool help = false;                  // --help or -h stood somewhere
};

/// `words` is argv without the program's name and the command's.
struct ParsedLine {
  CommandLine line;
  std::vector<std::string> faults;  // sentences; empty: the line may be executed
};
ParsedLine ParseCommandLine(const Command& command, std::span<const std::string> words);

/// Hands the settings to gflags. The values were checked by ParseCommandLine.
void ApplySettings(const CommandLine& line);

}  // namespace fensi::cli
