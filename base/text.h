// Joins texts in a line. Pure.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace fensi {

/// "a", "", "b" -> "a, , b".
inline std::string Joined(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

// Splits lists that people write in one word: "a,b,c". Pure.

/// "a,b\,c" -> "a", "b,c"; empty parts are left out. A backslash before anything but a comma stands for itself.
std::vector<std::string> SplitList(const std::string& list);

/// A text without the blanks around it. Pure.
constexpr std::string_view kWhiteSpace = " \t\r\n\f\v";

/// A view into `text`.
inline std::string_view Trimmed(std::string_view text, std::string_view blanks = kWhiteSpace) {
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The whole number that all of `text` is: decimal digits, after a '-' if the type has negative numbers. Absent if the
/// text is empty, has anything else, or is a number that does not fit the type.
template <std::integral Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && parsed == end ? std::optional(number) : std::nullopt;
}

/// An address of IPv4 or IPv6 in numbers, without brackets.
bool IsNumericAddress(const std::string& host);

// Numbers of things, as people read them.

/// 1234567 -> "1,234,567".
std::string WithCommas(int64_t number);
/// "1 row", "2 rows", "3 entries", "1,000 indexes".
std::string Counted(int64_t number, std::string_view singular);

// "Did you mean": finds the known word that is nearest to a mistyped one.

/// The number of insertions, deletions, replacements and swaps of neighbours from one word to the other.
size_t EditDistance(std::string_view a, std::string_view b);

/// The known word that `word` was most likely meant to be; empty: none is near.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> known);

/// {"did you mean 'lower'?"}, or nothing if no word is near.
std::vector<std::string> Suggest(std::string_view word, std::span<const std::string_view> known);

/// "a, b or c".
std::string OneOf(std::span<const std::string_view> words);

}  // namespace fensi
