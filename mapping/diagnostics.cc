#include "mapping/diagnostics.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fensi::mapping {
namespace {

// Bytes that continue a UTF-8 character take no column on the screen.
bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

size_t ScreenColumns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !Continues(c); }));
}

std::string Printable(std::string_view line) {
  std::string out(line);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return out;
}

std::string Caret(const Diagnostic& diagnostic) {
  const std::string_view line = diagnostic.source_line;
  const size_t before =
      std::min<size_t>(static_cast<size_t>(std::max(diagnostic.column - diagnostic.source_offset, 1)) - 1, line.size());
  const size_t width = std::max<size_t>(1, ScreenColumns(line.substr(before, static_cast<size_t>(diagnostic.width))));
  return std::string(ScreenColumns(line.substr(0, before)), ' ') + "^" + std::string(width - 1, '~');
}

}  // namespace

std::string Format(const Diagnostic& diagnostic) {
  const std::string number = std::to_string(diagnostic.line);
  const std::string severity = diagnostic.severity == Severity::kError ? "error" : "warning";
  std::string out = diagnostic.path + ":" + number + ":" + std::to_string(diagnostic.column) + ": " + severity + ": " +
                    diagnostic.message + " [" + diagnostic.code + "]\n";
  out += "  " + number + " | " + Printable(diagnostic.source_line) + "\n";
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
