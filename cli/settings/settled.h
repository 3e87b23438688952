// Resolves the flags of a command from all places. For each flag the first place with a value counts: the command line,
// the environment, flag files, its default.
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
  std::vector<FlagSetting> settings;  // set flags of the command, in the order of precedence
  bool help = false;
  bool print_flags = false;                        // then no argument and no flag is required
  std::vector<std::string> faults;                 // sentences, all at once; empty: the command may run
  StatusCode code = StatusCode::kInvalidArgument;  // of the faults; kConfiguration for an invalid file
};

/// `words` is argv without the program's name and the command's, `variables` the environment.
Settled Settle(const Command& command, std::span<const std::string> words, std::span<const std::string> variables);

/// Sets the flags in gflags. Call it only without faults.
void ApplySettings(const Settled& settled);

/// For --print_flags: all flags of the command in the form of a flag file, secrets hidden. Comments name the origin of
/// the following flags; a flag that was not set is a comment itself, so that the file does not set it either.
std::string FlagsText(const Command& command, const std::vector<FlagSetting>& settings);

}  // namespace fensi::cli
