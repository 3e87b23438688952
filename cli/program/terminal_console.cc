#include "cli/program/terminal_console.h"

#include <cstdio>
#include <string>

#include "base/shown_text.h"
#include "cli/program/color.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

constexpr char kEraseLine[] = "\r\x1b[K";

void Write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

void TerminalConsole::Print(std::string_view text) { cli::Print(text); }

void TerminalConsole::Say(std::string_view text) { cli::Say(text); }

void TerminalConsole::Diagnose(std::string_view text) {
  const bool color = WantsColor(color_, StderrIsTerminal());
  Write(color ? PaintedDiagnostics(text) : std::string(text));
}

Status TerminalConsole::Flush() { return FinishOutput(); }

bool TerminalConsole::MayDraw() const { return StderrIsTerminal(); }

void TerminalConsole::Draw(std::string_view line) {
  drawn_ = true;
  Write(kEraseLine + SanitizeForTerminal(line));
  std::fflush(stderr);
}

void TerminalConsole::Erase() {
  if (drawn_.exchange(false)) Write(kEraseLine);
}

void TerminalConsole::WriteAbove(std::string_view line) {
  Write((drawn_.exchange(false) ? kEraseLine : "") + std::string(line));
}

}  // namespace fensi::cli
