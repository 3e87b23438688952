// Parses argv to arguments and flags, or to all errors of the line at once; writes such a line. Pure.
//
// Grammar: fensi COMMAND [argument | --flag=value | --flag value | --switch | --noswitch | -letter]… [-- argument…].
// Dashes inside a flag's name count as underscores; cli/flags/short_flags.h has the letters.
#pragma once

#include <span>
#include <string>

#include "cli/program/command.h"
#include "cli/settings/setting_list.h"

namespace fensi::cli {

struct CommandLine {
  Arguments arguments;
  SettingList flags;
  bool help = false;  // --help or -h is in the line
};

/// `words` is argv without the program's name and the command's. Refuses secrets, because everybody can read command
/// lines.
CommandLine ParseCommandLine(const Command& command, std::span<const std::string> words);

/// "fensi NAME arguments flags", quoted for a shell where it must be. Flags of the environment and of files are not in
/// it.
std::string TypedLine(const Command& command, const Arguments& arguments);

}  // namespace fensi::cli
