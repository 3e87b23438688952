#include "mapping/functions/regex.h"

#include <re2/re2.h>

#include <algorithm>

#include "mapping/digest.h"

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

std::string EveryCharacter() {
  constexpr unsigned kLast = 0x10FFFF;
  std::string all;
  for (unsigned c = 0; c <= kLast; ++c) {
    if (c == 0xD800) c = 0xE000;  // surrogates are no characters of UTF-8
    const auto rest = [c](unsigned bits) { return static_cast<char>(0x80 | (c >> bits & 0x3F)); };
    if (c < 0x80) {
      all.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
      all.append({static_cast<char>(0xC0 | c >> 6), rest(0)});
    } else if (c < 0x10000) {
      all.append({static_cast<char>(0xE0 | c >> 12), rest(6), rest(0)});
    } else {
      all.append({static_cast<char>(0xF0 | c >> 18), rest(12), rest(6), rest(0)});
    }
  }
  return all;
}

// RE2 does not say which Unicode it has: a class is what it matches.
std::string DigestOfClass(const std::string& expression) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  const re2::RE2 run("(?:" + expression + ")+", options);
  const std::string all = EveryCharacter();
  re2::StringPiece found;
  std::string ranges;
  for (size_t at = 0; run.Match(all, at, all.size(), re2::RE2::UNANCHORED, &found, 1);) {
    const auto begin = static_cast<size_t>(found.data() - all.data());
    at = begin + found.size();
    ranges += std::to_string(begin) + "-" + std::to_string(at) + " ";
  }
  return Digest(ranges);
}

// Takes some hundredths of a second, so once in a thread.
std::string KnownDigestOfClass(const std::string& expression) {
  thread_local std::map<std::string, std::string> known;
  std::string& digest = known[expression];
  if (digest.empty()) digest = DigestOfClass(expression);
  return digest;
}

/// The class whose name begins behind "\p" or "\P".
std::string ClassNamed(std::string_view name) {
  if (!name.starts_with('{')) return "\\p{" + std::string(name.substr(0, 1)) + "}";
  name = name.substr(1, name.find('}') - 1);
  if (name.starts_with('^')) name.remove_prefix(1);
  return "\\p{" + std::string(name) + "}";
}

bool FoldsCase(std::string_view pattern) {
  for (size_t at = pattern.find("(?"); at != std::string_view::npos; at = pattern.find("(?", at + 1)) {
    const std::string_view flags = pattern.substr(at + 2);
    if (flags.substr(0, flags.find_first_not_of("imsU")).find('i') != std::string_view::npos) return true;
  }
  return false;
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

std::map<std::string, std::string> UnicodeClassesOf(const re2::RE2& regex) {
  std::map<std::string, std::string> classes;
  const std::string_view pattern = regex.pattern();
  if (!RegexNamesCharacters(pattern)) return classes;
  for (size_t i = 0; i + 2 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    ++i;
    if (pattern[i] != 'p' && pattern[i] != 'P') continue;
    const std::string named = ClassNamed(pattern.substr(i + 1));
    classes.emplace(named, KnownDigestOfClass(named));
  }
  // A letter that becomes one of Unicode can be the other case of an older one.
  if (FoldsCase(pattern)) classes.emplace("(?i)", KnownDigestOfClass("[\\pL\\pM\\pN\\pS]"));
  return classes;
}

std::shared_ptr<const re2::RE2> CompileRegex(const std::string& pattern, RegexBudget* budget, std::string* problem) {
  if (budget != nullptr && budget->spent()) {
    *problem = "a smaller regular expression, because all expressions of the file may have at most " +
               std::to_string(RegexBudget::kMost) + " instructions together. Shorten or remove expressions";
    return nullptr;
  }
  const bool characters = RegexNamesCharacters(pattern);
  if (characters && (HasEscape(pattern, NamesHighByte) || HasEscape(pattern, [](auto e) { return e[0] == 'C'; }))) {
    *problem =
        "a regular expression of characters or of bytes, and not of both: \\x80 to \\xFF and \\C have no clear meaning "
        "beside a character beyond ASCII. Remove the bytes or the characters";
    return nullptr;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  options.set_encoding(characters ? re2::RE2::Options::EncodingUTF8 : re2::RE2::Options::EncodingLatin1);
  auto regex = std::make_shared<re2::RE2>(pattern, options);
  if (budget != nullptr) budget->Spend(CostOf(*regex));
  if (!regex->ok()) {
    *problem = "a valid regular expression (RE2 says: \"" + regex->error() + "\")";
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
