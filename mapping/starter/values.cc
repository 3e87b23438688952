#include "mapping/starter/values.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/bytes.h"
#include "mapping/diagnostics.h"
#include "mapping/functions/function.h"
#include "mapping/functions/key_fields.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

// From 2001 on, and into the next century.
constexpr int64_t kFirstMillis = 1'000'000'000'000;
constexpr int64_t kLastMillis = 5'000'000'000'000;
constexpr int64_t kLastSeconds = 2'147'483'647;
constexpr size_t kUuidCharacters = 36;
constexpr size_t kDayCharacters = 10;

using Values = std::vector<std::string_view>;

template <typename Test>
bool All(const Values& values, Test test) {
  return std::all_of(values.begin(), values.end(), test);
}

bool IsNumber(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool code = digits.size() > 1 && digits[0] == '0';  // 007 is a name, not a number
  return AllDigits(digits) && !code && ParseInteger(std::string(text)).has_value();
}

bool IsBetween(std::string_view digits, int64_t least, int64_t most) {
  const std::optional<int64_t> number = ParseInteger(std::string(digits));
  return number && *number >= least && *number <= most;
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// An object or a list, on one line or on several.
bool IsJson(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  if (text.size() < 2) return false;
  if ((text.front() != '{' || text.back() != '}') && (text.front() != '[' || text.back() != ']')) return false;
  std::string line(text);
  std::replace_if(line.begin(), line.end(), IsBlank, ' ');
  return IsText(line);
}

/// A whole number of any length, as far as people write them.
bool IsLongNumber(std::string_view text) {
  constexpr size_t kMostDigits = 40;
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  return AllDigits(digits) && digits.size() <= kMostDigits && (digits.size() == 1 || digits[0] != '0');
}

ValueKind KindOfDigits(const Values& values) {
  if (All(values, [](auto text) { return IsBetween(text, kFirstMillis, kLastMillis); })) return ValueKind::kMillis;
  const auto seconds = [](auto text) { return text.size() == 10 && IsBetween(text, 1'000'000'000, kLastSeconds); };
  if (All(values, seconds)) return ValueKind::kSeconds;
  const auto micros = [](auto text) { return IsBetween(text, kFirstMillis * 1'000, kLastSeconds * 1'000'000); };
  if (All(values, micros)) return ValueKind::kMicros;
  // Whole microseconds, as databases keep them: numbers of Snowflake are as long.
  const auto nanos = [](auto text) {
    return text.ends_with("000") && IsBetween(text, kFirstMillis * 1'000'000, kLastSeconds * 1'000'000'000);
  };
  return All(values, nanos) ? ValueKind::kNanos : ValueKind::kNumber;
}

/// A number that people would write down: no power of ten that only a machine makes.
bool IsPlausible(double real) { return real == 0 || (std::abs(real) >= 1e-6 && std::abs(real) <= 1e15); }

/// The value after a function that reads all of them; absent: it refuses one.
std::optional<double> RealBy(const char* function, std::string_view argument, std::string_view bytes) {
  Scratch scratch;
  Value value{.bytes = bytes};
  Arguments arguments;
  if (!argument.empty()) {
    arguments.emplace_back().text = argument;
    arguments.back().number = static_cast<int64_t>(PhoenixType::kDouble);
  }
  if (FindFunction(function)->apply(arguments, &value, &scratch) != Outcome::kValue) return std::nullopt;
  return RealOf(value.number);
}

/// How many of the values are numbers above zero; nothing: some are no plausible numbers, or all are zero.
std::optional<size_t> PositiveReals(const Values& values, const char* function, std::string_view argument) {
  size_t positive = 0;
  bool any = false;
  for (const std::string_view bytes : values) {
    const std::optional<double> real = RealBy(function, argument, bytes);
    if (!real || !IsPlausible(*real)) return std::nullopt;
    positive += *real > 0 ? 1 : 0;
    any = any || *real != 0;
  }
  return any ? std::optional(positive) : std::nullopt;
}

/// Small numbers begin with eight bits of their sign, which Phoenix flips.
bool BeginWithSign(const Values& values, bool flipped) {
  const auto begins = [flipped](std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    return flipped ? first == 0x80 || first == 0x7F : first == 0 || first == 0xFF;
  };
  return All(values, begins);
}

ValueKind KindOfEight(const Values& values) {
  if (BeginWithSign(values, false)) return ValueKind::kLong;
  const std::optional<size_t> plain = PositiveReals(values, "f64", "");
  const std::optional<size_t> phoenix = PositiveReals(values, "phoenix", "DOUBLE");
  // Phoenix writes the next double: so the last byte of round numbers is 1.
  const bool round = All(values, [](auto bytes) { return bytes.back() == '\1'; });
  if (phoenix && (round || !plain || *phoenix > *plain)) return ValueKind::kPhoenixDouble;
  if (plain) return ValueKind::kDouble;
  return BeginWithSign(values, true) ? ValueKind::kPhoenixLong : ValueKind::kLong;
}

ValueKind KindOfFour(const Values& values) {
  if (BeginWithSign(values, false)) return ValueKind::kInt;
  if (BeginWithSign(values, true)) return ValueKind::kPhoenixInt;
  return PositiveReals(values, "f32", "") ? ValueKind::kFloat : ValueKind::kInt;
}

bool Reads(const char* function, std::string_view text) {
  Scratch scratch;
  Value value{.bytes = text};
  return FindFunction(function)->apply({}, &value, &scratch) == Outcome::kValue;
}

ValueKind KindOfText(const Values& values) {
  if (All(values, [](auto text) { return text.size() == kUuidCharacters && Reads("uuid", text); }))
    return ValueKind::kUuid;
  if (All(values, [](auto text) { return text.size() > kDayCharacters && Reads("iso_time", text); }))
    return ValueKind::kIsoTime;
  const auto pointed = [](auto text) {
    return text.find_first_not_of("0123456789.-+eE") == std::string_view::npos && Reads("number", text);
  };
  if (All(values, pointed) && !All(values, IsNumber)) {
    const auto point = [](auto text) { return text.find('.') != std::string_view::npos; };
    if (std::any_of(values.begin(), values.end(), point)) return ValueKind::kPoint;
  }
  return ValueKind::kText;
}

ValueKind KindOf(const Values& values) {
  if (values.empty()) return ValueKind::kNothing;
  if (All(values, IsNumber)) return KindOfDigits(values);
  if (All(values, IsLongNumber)) return ValueKind::kLongNumber;
  if (All(values, IsJson)) return ValueKind::kJson;
  if (All(values, IsText)) return KindOfText(values);
  if (All(values, [](auto bytes) { return bytes.size() == 8; })) return KindOfEight(values);
  if (All(values, [](auto bytes) { return bytes.size() == 4; })) return KindOfFour(values);
  return ValueKind::kBytes;
}

/// The evidence of a guess about bytes: how many values agree with it.
std::string SureText(const ValuesGuess& guess) {
  constexpr size_t kMany = 20, kSome = 5;
  const char* sure = guess.count >= kMany ? "almost sure" : guess.count >= kSome ? "probable" : "a guess";
  return std::string(" (") + sure + ", by " + std::to_string(guess.count) + (guess.count == 1 ? " value)" : " values)");
}

std::string WidthText(const ValuesGuess& guess, const std::string& unit) {
  const std::string most = std::to_string(guess.longest);
  if (guess.one_width()) return most + " " + unit + (guess.longest == 1 ? "" : "s");
  return std::to_string(guess.shortest) + " to " + most + " " + unit + "s";
}

}  // namespace

bool IsBinaryNumber(ValueKind kind) {
  return kind == ValueKind::kLong || kind == ValueKind::kInt ||
         (kind >= ValueKind::kDouble && kind <= ValueKind::kPhoenixDouble);
}

bool IsLetters(ValueKind kind) { return kind == ValueKind::kText || kind == ValueKind::kUuid; }

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsText(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t length = Utf8Length(bytes);
    if (length == 0 || IsControl(bytes, length)) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

ValuesGuess GuessValues(const std::vector<std::string_view>& values) {
  ValuesGuess guess;
  Values filled;
  for (std::string_view value : values) {
    if (!value.empty()) filled.push_back(value);
  }
  guess.kind = KindOf(filled);
  if (filled.empty()) return guess;
  const auto shorter = [](std::string_view a, std::string_view b) { return a.size() < b.size(); };
  guess.shortest = std::min_element(filled.begin(), filled.end(), shorter)->size();
  guess.longest = std::max_element(filled.begin(), filled.end(), shorter)->size();
  guess.distinct = std::set<std::string_view>(filled.begin(), filled.end()).size();
  guess.digits_only = All(filled, AllDigits);
  guess.count = filled.size();
  guess.example = filled.front();
  return guess;
}

std::string ValuesText(const ValuesGuess& guess) {
  switch (guess.kind) {
    case ValueKind::kNothing:
      return "empty";
    case ValueKind::kText:
      return "text of " + WidthText(guess, "byte");
    case ValueKind::kNumber:
      return "numbers of " + WidthText(guess, "digit");
    case ValueKind::kMillis:
      return "13 digits: milliseconds since 1970";
    case ValueKind::kSeconds:
      return "10 digits: seconds since 1970";
    case ValueKind::kMicros:
      return "16 digits: microseconds since 1970" + SureText(guess);
    case ValueKind::kNanos:
      return "19 digits: nanoseconds since 1970" + SureText(guess);
    case ValueKind::kLongNumber:
      return "numbers of " + WidthText(guess, "digit") + ", beyond 64 bits";
    case ValueKind::kLong:
      return "8 bytes: a long, as Bytes.toBytes writes it";
    case ValueKind::kInt:
      return "4 bytes: an int, as Bytes.toBytes writes it";
    case ValueKind::kPoint:
      return "numbers with a point, of " + WidthText(guess, "byte") + SureText(guess);
    case ValueKind::kIsoTime:
      return "times in ISO 8601" + SureText(guess);
    case ValueKind::kUuid:
      return "UUIDs as text" + SureText(guess);
    case ValueKind::kDouble:
      return "8 bytes: a double, as Bytes.toBytes writes it" + SureText(guess);
    case ValueKind::kFloat:
      return "4 bytes: a float, as Bytes.toBytes writes it" + SureText(guess);
    case ValueKind::kPhoenixLong:
      return "8 bytes: a BIGINT of Phoenix" + SureText(guess);
    case ValueKind::kPhoenixInt:
      return "4 bytes: an INTEGER of Phoenix" + SureText(guess);
    case ValueKind::kPhoenixDouble:
      return "8 bytes: a DOUBLE of Phoenix" + SureText(guess);
    case ValueKind::kJson:
      return "JSON of " + WidthText(guess, "byte");
    case ValueKind::kBytes:
      return "binary, " + WidthText(guess, "byte");
  }
  return "";
}

}  // namespace fensi::mapping
