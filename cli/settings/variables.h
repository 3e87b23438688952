// Flags from variables of the environment: FENSI_ and the flag's name in capitals. Pure.
//
// The environment is shared: a variable for a flag of another command is passed over, and so are those that Kubernetes
// makes for a Service called fensi, and those of fensi's own builds and tests. Of the others only one that was meant as
// a flag, as far as anybody can tell, is a fault; the rest may belong to whoever starts fensi.
#pragma once

#include <span>
#include <string>

#include "cli/program/command.h"
#include "cli/settings/setting_list.h"

namespace fensi::cli {

/// `variables` as "NAME=VALUE", as a process has them.
SettingList ReadVariables(const Command& command, std::span<const std::string> variables);

}  // namespace fensi::cli
