// What kind of data some byte strings are. Pure guessing: right for what people usually store. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

enum class ValueKind {
  kNothing,  // no values, or only empty ones
  kText,
  kNumber,   // decimal digits
  kMillis,   // 13 digits, a time of our days
  kSeconds,  // 10 digits, a time of our days
  kLong,     // 8 bytes, big-endian
  kInt,      // 4 bytes, big-endian
  kJson,
  kBytes,  // anything else
};

struct ValuesGuess {
  ValueKind kind = ValueKind::kNothing;
  size_t shortest = 0, longest = 0;
  size_t distinct = 0;
  bool digits_only = false;
  std::string example;

  bool one_width() const { return shortest == longest; }
  /// Their text sorts as their numbers do.
  bool sort_as_text() const { return digits_only && one_width(); }
};

ValuesGuess GuessValues(const std::vector<std::string_view>& values);

/// "text of 2 to 9 bytes", "13 digits: milliseconds since 1970".
std::string ValuesText(const ValuesGuess& guess);

bool AllDigits(std::string_view text);
/// UTF-8 without control characters.
bool IsText(std::string_view bytes);

}  // namespace fensi::mapping
