// The manual page fensi(1), made from the command tables and the page of exit codes. Pure.
#pragma once

#include <string>

namespace fensi::cli {

/// In the macros of man(7).
std::string ManualPage();

}  // namespace fensi::cli
