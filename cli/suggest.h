// "Did you mean": the known name that is nearest to a mistyped one. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fensi::cli {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
size_t EditDistance(std::string_view a, std::string_view b);

/// The nearest name if it is near enough to be meant, else empty.
std::string Nearest(std::string_view name, std::span<const std::string> known);

/// "; did you mean 'run'?" with `quote` on both sides of the name, or empty.
std::string DidYouMean(std::string_view name, std::span<const std::string> known, std::string_view quote);

}  // namespace fensi::cli
