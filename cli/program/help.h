// The texts of `fensi help` and `fensi help COMMAND`. Pure.
#pragma once

#include <string>

#include "cli/program/command.h"

namespace fensi::cli {

std::string ProgramHelp();
std::string CommandHelp(const Command& command);

/// `fensi help functions`: every function of the mapping language.
std::string FunctionsHelp();

}  // namespace fensi::cli
