// Guesses the kind of data of byte strings: right for usual data. Pure. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

enum class ValueKind {
  kNothing,  // no values, or only empty ones
  kText,
  kNumber,         // decimal digits
  kMillis,         // 13 digits, a time of our days
  kSeconds,        // 10 digits, a time of our days
  kMicros,         // 16 digits, a time of our days
  kNanos,          // 19 digits, a time of our days with whole microseconds
  kLongNumber,     // decimal digits, some beyond 64 bits
  kLong,           // 8 bytes, big-endian
  kInt,            // 4 bytes, big-endian
  kPoint,          // digits with a point
  kIsoTime,        // a day and an hour in ISO 8601
  kUuid,           // its text
  kDouble,         // 8 bytes, big-endian
  kFloat,          // 4 bytes, big-endian
  kPhoenixLong,    // 8 bytes with the sign flipped
  kPhoenixInt,     // 4 bytes with the sign flipped
  kPhoenixDouble,  // 8 bytes in order
  kJson,
  kBytes,  // anything else
};

struct ValuesGuess {
  ValueKind kind = ValueKind::kNothing;
  size_t shortest = 0, longest = 0;
  size_t distinct = 0;
  bool digits_only = false;
  size_t count = 0;  // of values that are not empty
  std::string example;

  bool one_width() const { return shortest == longest; }
  /// True if their text sorts as their numbers.
  bool sort_as_text() const { return digits_only && one_width(); }
};

/// True for a number in HBase's or Phoenix' bytes, not in text.
bool IsBinaryNumber(ValueKind kind);
/// True for values that people compare byte by byte: text, and identifiers.
bool IsLetters(ValueKind kind);

ValuesGuess GuessValues(const std::vector<std::string_view>& values);

/// "text of 2 to 9 bytes", "13 digits: milliseconds since 1970".
std::string ValuesText(const ValuesGuess& guess);

bool AllDigits(std::string_view text);
/// UTF-8 without control characters.
bool IsText(std::string_view bytes);

}  // namespace fensi::mapping
