// Regular expressions of the mapping language: RE2's, on bytes or on characters, at a bounded cost.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace fensi::mapping {

/// Does the expression name characters (anything beyond ASCII, or a class of Unicode like \p{Han})? Then `.` and
/// classes are characters of UTF-8. Otherwise they are bytes, as lengths are.
bool RegexNamesCharacters(std::string_view pattern);

/// Null when `problem` says what it must be.
std::shared_ptr<const re2::RE2> CompileRegex(const std::string& pattern, std::string* problem);

/// May the expression be run over so many bytes? A hundred-megabyte second of one value would hold up a whole index.
bool RegexAffords(const re2::RE2& regex, size_t bytes);
/// Why not, as the reason of an unmappable value.
std::string RegexTooDear(const re2::RE2& regex, size_t bytes);

bool RegexFinds(const re2::RE2& regex, std::string_view text);

}  // namespace fensi::mapping
