// The manual page fensi(1), made from the command tables and the page of exit codes. Pure.
#pragma once

#include <string>

#include "cli/program/command.h"

namespace fensi::cli {

/// In the macros of man(7).
std::string ManualPage();
/// fensi-NAME(1), of one command.
std::string ManualPageOf(const Command& command);

}  // namespace fensi::cli
