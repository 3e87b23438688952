#include "cli/help/manual.h"

#include "cli/flags/flags.h"
#include "cli/flags/short_flags.h"
#include "cli/help/help.h"
#include "cli/help/pages.h"
#include "cli/program/command.h"

namespace fensi::cli {
namespace {

/// Backslashes and hyphens as they are, and no line that begins like a macro.
std::string Roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string FlagText(const Command& command, const FlagUse& use) {
  const FlagRule* rule = FindFlagRule(use.name);
  std::string text = ".TP\n.B " + Roff("--" + use.name) + "\n";
  if (rule != nullptr && !rule->is_switch)
    text = ".TP\n.BI " + Roff("--" + use.name) + " \" " + Roff(rule->placeholder) + "\"\n";
  text += Roff(ShownMeaning(use) + ShortFormsText(command, use.name));
  const std::string standard = ShownDefault(use);
  if (use.required) return text + " (required)\n";
  return text + (standard.empty() ? "\n" : " (default " + Roff(standard) + ")\n");
}

std::string CommandText(const Command& command) {
  std::string text = ".SS " + Roff("fensi " + command.name) + (command.flags.empty() ? "" : " [flags]") +
                     (command.arguments.empty() ? "" : " " + Roff(command.arguments)) + "\n" +
                     Roff(command.description) + "\n";
  for (const FlagUse& use : command.flags) {
    if (!use.hidden) text += FlagText(command, use);
  }
  for (const Example& example : command.examples) {
    text += ".PP\n.nf\n.B " + Roff(example.line) + "\n.fi\n.RS\n" + Roff(example.meaning) + "\n.RE\n";
  }
  return text;
}

std::string ExitCodes() {
  for (const Page& page : Pages()) {
    if (page.name == "exit-codes") return ".nf\n" + Roff(RenderPage(page.markdown)) + ".fi\n";
  }
  return "";
}

}  // namespace

std::string ManualPageOf(const Command& command) {
  return ".TH FENSI-" + Roff(command.name) +
         " 1 \"\" \"fensi " FENSI_VERSION "\" \"User commands\"\n.SH NAME\nfensi\\-" + Roff(command.name) + " \\- " +
         Roff(command.summary) + "\n.SH DESCRIPTION\n" + CommandText(command) + ".SH SEE ALSO\n.BR fensi (1)\n";
}

std::string ManualPage() {
  std::string text = ".TH FENSI 1 \"\" \"fensi " FENSI_VERSION
                     "\" \"User commands\"\n.SH NAME\nfensi \\- keep secondary index tables of HBase exact\n"
                     ".SH SYNOPSIS\n.B fensi\n.I command\n[\\fIflags\\fR] [\\fIarguments\\fR]\n.SH COMMANDS\n";
  for (const Command& command : AllCommands()) text += CommandText(command);
  return text + ".SH EXIT STATUS\n" + ExitCodes();
}

}  // namespace fensi::cli
