// The page docs/commands.md, made from the command tables: every command with its flags and examples. Pure.
#pragma once

#include <string>

namespace fensi::cli {

/// In Markdown.
std::string CommandReference();

}  // namespace fensi::cli
