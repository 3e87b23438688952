// A text without the blanks around it. Pure.
#pragma once

#include <string_view>

namespace fensi {

constexpr std::string_view kWhiteSpace = " \t\r\n\f\v";

/// A view into `text`.
inline std::string_view Trimmed(std::string_view text, std::string_view blanks = kWhiteSpace) {
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace fensi
