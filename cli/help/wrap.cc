#include "cli/help/wrap.h"

#include <algorithm>

namespace fensi::cli {
namespace {

constexpr size_t kTextWidth = 100;

}  // namespace

std::string Wrapped(std::string_view text, std::string_view first) {
  const std::string indent(first.size(), ' ');
  std::string out, line;
  const auto flush = [&] {
    if (!line.empty()) out += (out.empty() ? std::string(first) : indent) + line + "\n";
    line.clear();
  };
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > kTextWidth) flush();
    if (!word.empty()) line.append(line.empty() ? "" : " ").append(word);
    at = end + 1;
    if (end < text.size() && text[end] == '\n') {
      flush();
      if (at < text.size() && text[at] == '\n') out += text[at++];  // a paragraph ends
    }
  }
  flush();
  return out;
}

std::string Wrapped(std::string_view text, size_t indent) { return Wrapped(text, std::string(indent, ' ')); }

}  // namespace fensi::cli
