// Colors output on a terminal. Pure, except for the environment in WantsColor.
#pragma once

#include <string>
#include <string_view>

namespace fensi::cli {

enum class Ink { kBold, kRed, kGreen, kYellow };

/// `mode` is --color: always, never, or auto: on a terminal that is not dumb, unless NO_COLOR is set.
bool WantsColor(std::string_view mode, bool terminal);

std::string Painted(std::string_view text, Ink ink);

/// Diagnostics of mapping files, as mapping::Format makes them: positions bold, severities and carets colored.
std::string PaintedDiagnostics(std::string_view text);

}  // namespace fensi::cli
