// Regular expressions of the mapping language: RE2's, on bytes or on characters, at a bounded cost.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "mapping/functions/scratch.h"

namespace re2 {
class RE2;
}

namespace fensi::mapping {

/// Does the expression name characters (anything beyond ASCII, or a class of Unicode like \p{Han})? Then `.` and
/// classes are characters of UTF-8. Otherwise they are bytes, as lengths are.
bool RegexNamesCharacters(std::string_view pattern);

/// What the expressions of one file may take to be read, in instructions: about two seconds and 50 MB.
class RegexBudget {
 public:
  static constexpr size_t kMost = 2'000'000;
  bool spent() const { return spent_ > kMost; }
  void Spend(size_t instructions) { spent_ += instructions; }

 private:
  size_t spent_ = 0;
};

/// Null when `problem` says what it must be. Without a budget it may cost anything.
std::shared_ptr<const re2::RE2> CompileRegex(const std::string& pattern, RegexBudget* budget, std::string* problem);

/// May the expression be run over so many bytes? Not for longer than a value and its row may take; then the scratch has
/// the reason.
bool RegexAffords(const re2::RE2& regex, size_t bytes, Scratch* scratch);

bool RegexFinds(const re2::RE2& regex, std::string_view text);

}  // namespace fensi::mapping
