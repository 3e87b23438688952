// Texts of foreign files as they may be shown on a terminal. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fensi::mapping {

/// Does the character of so many bytes, at the beginning of `rest`, do something to a terminal other than appear?
/// (Controls of ASCII and of Unicode, and marks that turn the direction of a text round.)
bool IsControl(std::string_view rest, size_t length);

/// Characters of a text; a byte that is none counts as one.
size_t CountCharacters(std::string_view text);

/// Columns that a terminal gives it, after Harmless: two for most of Chinese, Japanese and Korean, none for accents.
size_t ScreenColumns(std::string_view text);

/// Controls and bytes that are no character as \xNN; a backslash stands for itself. What gives more than `most` bytes
/// is cut.
std::string Harmless(std::string_view text, size_t most = 2000);

/// A line of which every character keeps its place: what Harmless would escape is '?'.
std::string HarmlessLine(std::string_view line);

}  // namespace fensi::mapping
