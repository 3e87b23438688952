// From argv to arguments and flags, or to every fault of the line at once. Pure.
//
// Grammar: fensi COMMAND [argument | --flag=value | --flag value | --switch | --noswitch | -letter]… [-- argument…].
// Dashes inside a flag's name count as underscores; what a letter stands for: cli/flags/short_flags.h.
#pragma once

#include <span>
#include <string>

#include "cli/program/command.h"
#include "cli/settings/setting_list.h"

namespace fensi::cli {

struct CommandLine {
  Arguments arguments;
  SettingList flags;
  bool help = false;  // --help or -h stood somewhere
};

/// `words` is argv without the program's name and the command's. Secrets are refused: everybody reads command lines.
CommandLine ParseCommandLine(const Command& command, std::span<const std::string> words);

}  // namespace fensi::cli
