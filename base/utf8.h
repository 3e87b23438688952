// Characters of UTF-8 text. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fensi {

/// Length of the UTF-8 character that begins a text of at least one byte; 0: none does. Overlong forms and surrogates
/// are taken, as YAML judges them.
size_t Utf8Length(std::string_view rest);

/// What Unicode calls a character that Utf8Length found.
uint32_t CodePoint(std::string_view character);

/// Of the characters of a text as many as fit in so many bytes: the cut is never within one.
std::string_view FirstCharacters(std::string_view text, size_t most_bytes);

}  // namespace fensi
