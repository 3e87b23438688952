#include "mapping/diagnostics.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "base/bytes.h"

namespace fensi::mapping {
namespace {

// The piece of a text that begins behind so many characters and has so many of them.
std::string_view Characters(std::string_view text, int skip, int count) {
  size_t begin = 0;
  for (; skip > 0 && begin < text.size(); --skip) begin += std::max<size_t>(Utf8Length(text.substr(begin)), 1);
  size_t end = begin;
  for (; count > 0 && end < text.size(); --count) end += std::max<size_t>(Utf8Length(text.substr(end)), 1);
  return text.substr(begin, end - begin);
}

std::string Caret(const Diagnostic& diagnostic) {
  const std::string_view line = diagnostic.source_line;
  const size_t width = std::max<size_t>(1, ScreenColumns(Characters(line, diagnostic.caret, diagnostic.width)));
  return std::string(ScreenColumns(Characters(line, 0, diagnostic.caret)), ' ') + "^" + std::string(width - 1, '~');
}

}  // namespace

std::string Format(const Diagnostic& diagnostic) {
  const std::string number = std::to_string(diagnostic.line);
  const std::string severity = diagnostic.severity == Severity::kError ? "error" : "warning";
  std::string out = SanitizeForTerminal(diagnostic.path) + ":" + number + ":" + std::to_string(diagnostic.column) +
                    ": " + severity + ": " + diagnostic.message + " [" + diagnostic.code + "]\n";
  out += "  " + number + " | " + SanitizeLineForTerminal(diagnostic.source_line) + "\n";
  out += "  " + std::string(number.size(), ' ') + " | " + Caret(diagnostic) + "\n";
  for (const std::string& note : diagnostic.notes) out += "  hint: " + note + "\n";
  return out;
}

void Diagnostics::Add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) ++errors_;
  all_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::InOrder() const {
  std::map<std::string, size_t> rank;  // files in the order in which they were first heard of
  for (const Diagnostic& diagnostic : all_) rank.try_emplace(diagnostic.path, rank.size());
  std::vector<Diagnostic> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [&rank](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(rank[a.path], a.line, a.column) < std::tuple(rank[b.path], b.line, b.column);
  });
  return sorted;
}

std::string Diagnostics::Text() const {
  std::string out;
  for (const Diagnostic& diagnostic : InOrder()) out += Format(diagnostic);
  return out;
}

namespace {

struct Range {
  uint32_t first, last;
};
// East Asian Width W and F of Unicode, and what combines with the character before it, in blocks.
constexpr Range kWide[] = {{0x1100, 0x115f},  {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},
                           {0xac00, 0xd7a3},  {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                           {0xffe0, 0xffe6},  {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
                           {0x20000, 0x3fffd}};
constexpr Range kCombining[] = {{0x300, 0x36f}, {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
constexpr Range kControls[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};

template <size_t kSize>
bool In(const Range (&ranges)[kSize], uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const Range& range) { return code >= range.first && code <= range.last; });
}

// Calls visit(character, is it harmless?) for each character, or byte that is none.
template <typename Visit>
void ForEachCharacter(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    visit(text.substr(0, std::max<size_t>(length, 1)), length > 0 && !IsControl(text, length));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
}

}  // namespace

bool IsControl(std::string_view rest, size_t length) { return In(kControls, CodePoint(rest.substr(0, length))); }

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  ForEachCharacter(text, [&count](std::string_view, bool) { ++count; });
  return count;
}

size_t ScreenColumns(std::string_view text) {
  size_t columns = 0;
  ForEachCharacter(text, [&columns](std::string_view character, bool harmless) {
    const uint32_t code = harmless ? CodePoint(character) : '?';
    columns += In(kWide, code) ? 2 : In(kCombining, code) ? 0 : 1;
  });
  return columns;
}

std::string SanitizeForTerminal(std::string_view text, size_t most) {
  std::string out;
  bool cut = false;
  ForEachCharacter(text, [&](std::string_view character, bool harmless) {
    cut = cut || out.size() >= most;
    if (!cut) out += harmless ? std::string(character) : Escape(character);
  });
  return cut ? out + "…" : out;
}

std::string SanitizeLineForTerminal(std::string_view line) {
  std::string out;
  ForEachCharacter(line, [&out](std::string_view character, bool harmless) {
    if (harmless) {
      out += character;
    } else {
      out += '?';
    }
  });
  return out;
}

}  // namespace fensi::mapping
