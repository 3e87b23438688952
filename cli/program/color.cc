#include "cli/program/color.h"

#include <cstdlib>

namespace fensi::cli {
namespace {

constexpr std::string_view kErrorWord = ": error: ", kWarningWord = ": warning: ", kHintWord = "  hint: ",
                           kLineMark = " | ";

bool Says(const char* variable, std::string_view nothing) {
  const char* const value = std::getenv(variable);
  return value != nullptr && value != nothing;
}

const char* SequenceOf(Ink ink) {
  switch (ink) {
    case Ink::kBold:
      return "\x1b[1m";
    case Ink::kRed:
      return "\x1b[1;31m";
    case Ink::kGreen:
      return "\x1b[1;32m";
    case Ink::kYellow:
      return "\x1b[1;33m";
  }
  return "";
}

/// "FILE:3:9: error: text": a path may have such words in it, a message, too; the first are those of the message where
/// the path has none.
std::string PaintedHead(std::string_view line) {
  const size_t error = line.find(kErrorWord), warning = line.find(kWarningWord);
  const bool is_error = error < warning;
  const size_t at = is_error ? error : warning;
  if (at == std::string_view::npos) return std::string(line);
  const std::string_view word = is_error ? kErrorWord.substr(2, 6) : kWarningWord.substr(2, 8);
  return Painted(line.substr(0, at + 1), Ink::kBold) + " " + Painted(word, is_error ? Ink::kRed : Ink::kYellow) +
         std::string(line.substr(at + 2 + word.size()));
}

std::string PaintedLine(std::string_view line) {
  if (!line.starts_with(' ')) return PaintedHead(line);
  if (line.starts_with(kHintWord))
    return "  " + Painted("hint:", Ink::kBold) + std::string(line.substr(kHintWord.size() - 1));
  const size_t first = line.find_first_not_of(' ');
  const bool is_caret = first != std::string_view::npos && first > 0 && line.substr(first - 1).starts_with(kLineMark);
  if (!is_caret) return std::string(line);
  return std::string(line.substr(0, first + 2)) + Painted(line.substr(first + 2), Ink::kGreen);
}

}  // namespace

bool WantsColor(std::string_view mode, bool terminal) {
  if (mode != "auto") return mode == "always";
  const char* const kind = std::getenv("TERM");
  const bool dumb = kind != nullptr && std::string_view(kind) == "dumb";
  return terminal && !dumb && !Says("NO_COLOR", "");
}

std::string Painted(std::string_view text, Ink ink) { return SequenceOf(ink) + std::string(text) + "\x1b[0m"; }

std::string PaintedDiagnostics(std::string_view text) {
  std::string painted;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    painted += PaintedLine(text.substr(0, end)) + (end == std::string_view::npos ? "" : "\n");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return painted;
}

}  // namespace fensi::cli
