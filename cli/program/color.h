// Colours of what people read on a terminal. Pure, but for what WantsColor asks the environment.
#pragma once

#include <string>
#include <string_view>

namespace fensi::cli {

enum class Ink { kBold, kRed, kGreen, kYellow };

/// `mode` is --color: always, never, or auto: on a terminal that is not dumb, unless NO_COLOR says something.
bool WantsColor(std::string_view mode, bool terminal);

std::string Painted(std::string_view text, Ink ink);

/// Messages about mapping files, as mapping::Format makes them: places bold, what they are and the carets in colour.
std::string PaintedDiagnostics(std::string_view text);

}  // namespace fensi::cli
