#include "mapping/starter/values.h"

#include <algorithm>
#include <set>

#include "base/bytes.h"
#include "base/utf8.h"
#include "mapping/screen_text.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

// From 2001 on, and into the next century.
constexpr int64_t kFirstMillis = 1'000'000'000'000;
constexpr int64_t kLastMillis = 5'000'000'000'000;
constexpr int64_t kLastSeconds = 2'147'483'647;

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

bool IsJson(std::string_view text) {
  if (text.size() < 2) return false;
  return (text.front() == '{' && text.back() == '}') || (text.front() == '[' && text.back() == ']');
}

ValueKind KindOfDigits(const Values& values) {
  if (All(values, [](auto text) { return IsBetween(text, kFirstMillis, kLastMillis); })) return ValueKind::kMillis;
  const auto seconds = [](auto text) { return text.size() == 10 && IsBetween(text, 1'000'000'000, kLastSeconds); };
  return All(values, seconds) ? ValueKind::kSeconds : ValueKind::kNumber;
}

ValueKind KindOf(const Values& values) {
  if (values.empty()) return ValueKind::kNothing;
  if (All(values, IsNumber)) return KindOfDigits(values);
  if (All(values, IsText)) return All(values, IsJson) ? ValueKind::kJson : ValueKind::kText;
  if (All(values, [](auto bytes) { return bytes.size() == 8; })) return ValueKind::kLong;
  if (All(values, [](auto bytes) { return bytes.size() == 4; })) return ValueKind::kInt;
  return ValueKind::kBytes;
}

std::string WidthText(const ValuesGuess& guess, const std::string& unit) {
  const std::string most = std::to_string(guess.longest);
  if (guess.one_width()) return most + " " + unit + (guess.longest == 1 ? "" : "s");
  return std::to_string(guess.shortest) + " to " + most + " " + unit + "s";
}

}  // namespace

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
    case ValueKind::kLong:
      return "8 bytes: a long, as Bytes.toBytes writes it";
    case ValueKind::kInt:
      return "4 bytes: an int, as Bytes.toBytes writes it";
    case ValueKind::kJson:
      return "JSON of " + WidthText(guess, "byte");
    case ValueKind::kBytes:
      return "binary, " + WidthText(guess, "byte");
  }
  return "";
}

}  // namespace fensi::mapping
