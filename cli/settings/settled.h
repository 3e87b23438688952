// What a command is to do, from everywhere that may say so. For each flag the first of these that has it counts: the
// command line, the environment, flag files, its default.
//
// Blocks on the file system.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/program/command.h"
#include "cli/settings/setting_list.h"

namespace fensi::cli {

struct Settled {
  Arguments arguments;
  std::vector<FlagSetting> settings;  // flags of the command that somebody set, in the order of precedence
  bool help = false;
  bool print_flags = false;                        // then no argument and no flag is required
  std::vector<std::string> faults;                 // sentences, all at once; empty: the command may be executed
  StatusCode code = StatusCode::kInvalidArgument;  // of the faults; kConfiguration when a file is wrong
};

/// `words` is argv without the program's name and the command's, `variables` the environment.
Settled Settle(const Command& command, std::span<const std::string> words, std::span<const std::string> variables);

/// Hands the settings to gflags. There are no faults.
void ApplySettings(const Settled& settled);

/// For --print_flags: all flags of the command in the form of a flag file, secrets hidden. The origin of what follows
/// stands in a comment; what nobody set is a comment itself, so that who reads the file does not set it either.
std::string FlagsText(const Command& command, const std::vector<FlagSetting>& settings);

}  // namespace fensi::cli
