// How wide a text stands on a terminal. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace fensi::cli {

/// Places that UTF-8 takes, by Unicode's own widths: two for an ideograph, none for an accent that joins a letter. A
/// byte that is no UTF-8 takes one.
size_t TextWidth(std::string_view text);

/// The longest beginning that is no wider than that.
std::string_view BeginningOfWidth(std::string_view text, size_t width);

}  // namespace fensi::cli
