// Reads flags from environment variables: FENSI_ and the flag's name in capitals. Pure.
//
// The environment is shared: ignores variables of flags of other commands, those that Kubernetes makes for a Service
// called fensi, and those of fensi's own builds and tests. Of the others only one that was probably meant as a flag is
// an error; the rest may belong to the caller.
#pragma once

#include <span>
#include <string>

#include "cli/program/command.h"
#include "cli/settings/setting_list.h"

namespace fensi::cli {

/// `variables` as "NAME=VALUE", as a process has them.
SettingList ReadVariables(const Command& command, std::span<const std::string> variables);

}  // namespace fensi::cli
