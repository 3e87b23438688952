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

}  // namespace fensi
