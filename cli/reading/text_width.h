// Computes the width of a text on a terminal. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace fensi::cli {

/// Columns of UTF-8 text, by Unicode's widths: two for an ideograph, none for a combining accent. An invalid byte takes
/// one.
size_t TextWidth(std::string_view text);

/// The longest prefix of at most this width.
std::string_view BeginningOfWidth(std::string_view text, size_t width);

}  // namespace fensi::cli
