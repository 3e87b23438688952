// Resolves the flags again from the current flag files, for a reload. Command line and environment stay as they were.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/program/command.h"
#include "cli/settings/setting_list.h"
#include "cli/settings/settled.h"

namespace fensi::cli {

/// Records the start of the process's command, which took `settled`. Call it before any thread.
void NoteStart(const Command& command, std::span<const std::string> words, std::span<const std::string> variables,
               const Settled& settled);

struct SettledAgain {
  std::vector<std::string> faults;   // as in Settled
  std::vector<FlagSetting> changed;  // with new values, or their defaults
};

/// Blocks on the file system. One thread at a time.
SettledAgain SettleAgain();

/// Records that the process uses the new value.
void NoteTaken(const FlagSetting& setting);

/// The flags in effect, as --print_flags shows them; empty before NoteStart. Any thread.
std::string FlagsNow();

/// The differences between two resolutions of a command. A flag that is no longer set has its default, from "default".
std::vector<FlagSetting> ChangedSettings(const Command& command, const std::vector<FlagSetting>& before,
                                         const std::vector<FlagSetting>& now);

}  // namespace fensi::cli
