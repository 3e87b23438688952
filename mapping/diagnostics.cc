#include "mapping/diagnostics.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/utf8.h"
#include "mapping/screen_text.h"

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
  std::string out = Harmless(diagnostic.path) + ":" + number + ":" + std::to_string(diagnostic.column) + ": " +
                    severity + ": " + diagnostic.message + " [" + diagnostic.code + "]\n";
  out += "  " + number + " | " + HarmlessLine(diagnostic.source_line) + "\n";
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

}  // namespace fensi::mapping
