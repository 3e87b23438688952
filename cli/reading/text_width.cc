#include "cli/reading/text_width.h"

#include <utf8proc.h>

#include <algorithm>

namespace fensi::cli {

size_t TextWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                        static_cast<utf8proc_ssize_t>(text.size()), &character);
    width += bytes > 0 ? static_cast<size_t>(std::max(0, utf8proc_charwidth(character))) : 1;
    text.remove_prefix(bytes > 0 ? static_cast<size_t>(bytes) : 1);
  }
  return width;
}

}  // namespace fensi::cli
