#include "base/shown_text.h"

#include <vector>

#include "base/text.h"

namespace fensi {

std::string SanitizeForTerminal(std::string_view text) {
  std::string harmless;
  harmless.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool above_ascii = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F in UTF-8
    const bool steers = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F || above_ascii;
    harmless += steers ? '?' : text[i];
    if (above_ascii) ++i;
    if (byte == '\n' && next != ' ' && next != '\n' && next != 0) harmless += "  ";
  }
  return harmless;
}

std::string DidYouMean(std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string> hints = Suggest(name, std::vector<std::string_view>(known.begin(), known.end()));
  return hints.empty() ? "" : "; " + hints.front();
}

std::string UnreachableText(const std::string& server, const std::string& since) {
  return server + " is unreachable since " + since;
}

std::string NoSuchTableText(const std::string& table) {
  return "there is no table " + table + ". Check its name: 'fensi tables' lists the tables";
}

std::string DurationText(int64_t seconds) {
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " m " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " m";
}

}  // namespace fensi
