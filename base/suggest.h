// "did you mean": the known word that is nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fensi {

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
size_t EditDistance(std::string_view a, std::string_view b);

/// The known word that `word` was most likely meant to be; empty when none is near.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> known);

/// {"did you mean 'lower'?"}, or nothing when no word is near.
std::vector<std::string> Suggest(std::string_view word, std::span<const std::string_view> known);

/// "a, b or c".
std::string OneOf(std::span<const std::string_view> words);

}  // namespace fensi
