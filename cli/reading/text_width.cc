#include "cli/reading/text_width.h"

#include <utf8proc.h>

#include <algorithm>

namespace fensi::cli {
namespace {

struct Character {
  size_t bytes = 1;
  size_t width = 1;
};

Character FirstOf(std::string_view text) {
  utf8proc_int32_t character = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &character);
  if (bytes <= 0) return {};
  return {static_cast<size_t>(bytes), static_cast<size_t>(std::max(0, utf8proc_charwidth(character)))};
}

}  // namespace

size_t TextWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const Character first = FirstOf(text);
    width += first.width;
    text.remove_prefix(first.bytes);
  }
  return width;
}

std::string_view BeginningOfWidth(std::string_view text, size_t width) {
  size_t bytes = 0;
  while (bytes < text.size()) {
    const Character next = FirstOf(text.substr(bytes));
    if (next.width > width) break;
    width -= next.width;
    bytes += next.bytes;
  }
  return text.substr(0, bytes);
}

}  // namespace fensi::cli
