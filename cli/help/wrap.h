// Wraps text for a terminal. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fensi::cli {

/// Breaks `text` at spaces so that no line is wider than 100 columns; the first line has the prefix `first`, every
/// other one as many spaces. A byte counts as a column. An empty line begins a paragraph.
std::string Wrapped(std::string_view text, std::string_view first);
std::string Wrapped(std::string_view text, size_t indent);

}  // namespace fensi::cli
