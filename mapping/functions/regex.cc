#include "mapping/functions/regex.h"

#include <re2/re2.h>

#include <algorithm>

namespace fensi::mapping {
namespace {

constexpr int kMostInstructions = 2000;

bool HasEscape(std::string_view pattern, const auto& is) {
  for (size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    if (is(pattern.substr(i + 1))) return true;
    ++i;
  }
  return false;
}

bool NamesUnicode(std::string_view escape) {
  return escape.starts_with('p') || escape.starts_with('P') || escape.starts_with("x{");
}

// \x80 to \xFF: a byte in one kind of expression, a character in the other.
bool NamesHighByte(std::string_view escape) {
  return escape.size() > 2 && escape[0] == 'x' && escape[1] != '{' &&
         std::string_view("89abcdefABCDEF").find(escape[1]) != std::string_view::npos;
}

// In instructions; one that became too large had many before it was given up.
size_t CostOf(const re2::RE2& regex) {
  constexpr size_t kLeast = 50;
  constexpr size_t kGivenUp = 30'000;
  if (regex.ok()) return kLeast + static_cast<size_t>(regex.ProgramSize());
  return regex.error_code() == re2::RE2::ErrorPatternTooLarge ? kGivenUp : kLeast;
}

}  // namespace

bool RegexNamesCharacters(std::string_view pattern) {
  return std::any_of(pattern.begin(), pattern.end(), [](char c) { return static_cast<signed char>(c) < 0; }) ||
         HasEscape(pattern, NamesUnicode);
}

std::shared_ptr<const re2::RE2> CompileRegex(const std::string& pattern, RegexBudget* budget, std::string* problem) {
  if (budget != nullptr && budget->spent()) {
    *problem = "one of fewer or smaller regular expressions: those of one file have at most " +
               std::to_string(RegexBudget::kMost) + " instructions together";
    return nullptr;
  }
  const bool characters = RegexNamesCharacters(pattern);
  if (characters && (HasEscape(pattern, NamesHighByte) || HasEscape(pattern, [](auto e) { return e[0] == 'C'; }))) {
    *problem =
        "a regular expression of characters or of bytes, not of both: beside a character beyond ASCII, \\x80 to \\xFF "
        "and \\C have no clear meaning";
    return nullptr;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  options.set_encoding(characters ? re2::RE2::Options::EncodingUTF8 : re2::RE2::Options::EncodingLatin1);
  auto regex = std::make_shared<re2::RE2>(pattern, options);
  if (budget != nullptr) budget->Spend(CostOf(*regex));
  if (!regex->ok()) {
    *problem = "a regular expression of RE2 (" + regex->error() + ")";
    return nullptr;
  }
  if (regex->ProgramSize() > kMostInstructions) {
    *problem = "a smaller regular expression: this one has " + std::to_string(regex->ProgramSize()) +
               " instructions, at most " + std::to_string(kMostInstructions) + " are possible";
    return nullptr;
  }
  return regex;
}

bool RegexAffords(const re2::RE2& regex, size_t bytes, Scratch* scratch) {
  const auto instructions = static_cast<size_t>(std::max(regex.ProgramSize(), 1));
  const size_t most = kMostValueSteps / instructions;
  if (bytes > most) {
    scratch->reason = "the value has " + std::to_string(bytes) + " bytes, and this regular expression of " +
                      std::to_string(instructions) + " instructions reads at most " + std::to_string(most);
    return false;
  }
  if (scratch->Spend(instructions * bytes)) return true;
  scratch->reason = "the regular expressions of one row would take too long";
  return false;
}

bool RegexFinds(const re2::RE2& regex, std::string_view text) {
  return regex.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace fensi::mapping
