// Regular expressions of the mapping language: RE2's, on bytes or on characters, at a bounded cost.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "mapping/functions/scratch.h"

namespace re2 {
class RE2;
}

namespace fensi::mapping {

/// True if the expression names characters (anything beyond ASCII, or a class of Unicode like \p{Han}). Then `.` and
/// classes are UTF-8 characters. Otherwise they are bytes, as lengths are.
bool RegexNamesCharacters(std::string_view pattern);

/// The classes of Unicode that the expression goes by, as "\p{Han}", each with a digest of the characters that RE2 has
/// in it; also "(?i)", if it folds the case of characters. Empty: it is the same with all tables of Unicode.
std::map<std::string, std::string> UnicodeClassesOf(const re2::RE2& regex);

/// Limits the compilation of the expressions of one file, in instructions: about two seconds and 50 MB.
class RegexBudget {
 public:
  static constexpr size_t kMost = 2'000'000;
  bool spent() const { return spent_ > kMost; }
  void Spend(size_t instructions) { spent_ += instructions; }

 private:
  size_t spent_ = 0;
};

/// Null with the required form in `problem`. Without a budget the cost is unbounded.
std::shared_ptr<const re2::RE2> CompileRegex(const std::string& pattern, RegexBudget* budget, std::string* problem);

/// True if the expression may run over this many bytes, within the limits of a value and its row; otherwise the scratch
/// has the reason.
bool RegexAffords(const re2::RE2& regex, size_t bytes, Scratch* scratch);

bool RegexFinds(const re2::RE2& regex, std::string_view text);

}  // namespace fensi::mapping
