// Makes scripts for shell completion of commands and flags, from the command tables. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fensi::cli {

/// "bash", "fish", "zsh".
const std::vector<std::string>& CompletedShells();

/// The script for one of these shells.
std::string CompletionScript(std::string_view shell);

}  // namespace fensi::cli
