// Cuts texts and names to a maximum length. A cut text has its original length and a hash, which distinguishes it from
// texts with the same beginning.
//
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fensi {

/// Minimum for the length of a cut text.
inline constexpr size_t kLeastCut = 128;

/// At most `most` bytes of UTF-8: the text, or its first characters, the number of its bytes and the first 16 digits of
/// their SHA-256 ("… (70000 bytes, SHA-256 0011223344556677…)").
std::string CutText(std::string_view text, size_t most);

/// CutText for any bytes, as Escape shows them.
std::string CutName(std::string_view name, size_t most);

}  // namespace fensi
