// What the process was started with, and what its flag files say now: for a reload. Command line and environment stay
// as they were.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/program/command.h"
#include "cli/settings/setting_list.h"
#include "cli/settings/settled.h"

namespace fensi::cli {

/// The start of the process's command, which took `settled`. Before any thread.
void NoteStart(const Command& command, std::span<const std::string> words, std::span<const std::string> variables,
               const Settled& settled);

struct SettledAgain {
  std::vector<std::string> faults;   // as of Settled
  std::vector<FlagSetting> changed;  // with new values, or their defaults
};

/// Blocks on the file system. One thread at a time.
SettledAgain SettleAgain();

/// The process has taken the new value.
void NoteTaken(const FlagSetting& setting);

/// What counts now, as --print_flags shows it; empty before NoteStart. Any thread.
std::string FlagsNow();

/// What differs between two settlings of a command. A flag that nobody sets any more has its default, from "default".
std::vector<FlagSetting> ChangedSettings(const Command& command, const std::vector<FlagSetting>& before,
                                         const std::vector<FlagSetting>& now);

}  // namespace fensi::cli
