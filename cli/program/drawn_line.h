// A line that is drawn over itself on a terminal, and those that are written above it. Any thread.
#pragma once

#include <string_view>

namespace fensi::cli {

/// Draws `line` over the last one drawn; its text is made harmless. When stderr is a terminal.
void DrawProgress(std::string_view line);
/// Removes what was drawn.
void ClearProgress();
/// Writes a line, which brings its end, to stderr as it is: above what is drawn.
void WriteAbove(std::string_view line);

}  // namespace fensi::cli
