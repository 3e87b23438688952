// Texts and names that must fit into a place, whatever they hold: what is too long is cut, and says how long it was and
// what tells it from others that begin alike.
//
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fensi {

/// The least that a text may be cut to.
inline constexpr size_t kLeastCut = 128;

/// At most `most` bytes of UTF-8: the text, or its first characters, the number of its bytes and the first 16 digits of
/// their SHA-256 ("… (70000 bytes, SHA-256 0011223344556677…)").
std::string CutText(std::string_view text, size_t most);

/// The same of any bytes, as Escape shows them.
std::string CutName(std::string_view name, size_t most);

}  // namespace fensi
