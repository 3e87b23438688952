#include "cli/help/reference.h"

#include "cli/flags/flags.h"
#include "cli/flags/short_flags.h"
#include "cli/help/help.h"
#include "cli/program/command.h"

namespace fensi::cli {
namespace {

/// Escapes text for a cell of a table, where a bar would end it and an angle bracket would begin a tag.
std::string Cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '<' ? std::string("&lt;") : std::string(1, c);
  }
  return cell;
}

std::string FlagRow(const Command& command, const FlagUse& use) {
  const FlagRule* rule = FindFlagRule(use.name);
  std::string flag = "--" + use.name;
  if (rule != nullptr && !rule->is_switch) flag += "=" + rule->placeholder;
  const std::string standard = ShownDefault(use);
  const std::string meaning = ShownMeaning(use) + ShortFormsText(command, use.name);
  return "| `" + Cell(flag) + "` | " +
         (use.required       ? "required"
          : standard.empty() ? ""
                             : "`" + Cell(standard) + "`") +
         " | " + Cell(meaning) + " |\n";
}

std::string SectionOf(const Command& command) {
  std::string text = "\n## fensi " + command.name + "\n\n";
  text += "    fensi " + command.name + (command.flags.empty() ? "" : " [flags]") +
          (command.arguments.empty() ? "" : " " + command.arguments) + "\n\n";
  text += Cell(command.description) + "\n";
  if (!command.flags.empty()) text += "\n| flag | default | meaning |\n|---|---|---|\n";
  for (const FlagUse& use : command.flags) {
    if (!use.hidden) text += FlagRow(command, use);
  }
  if (!command.examples.empty()) text += "\n| example | what it does |\n|---|---|\n";
  for (const Example& example : command.examples) {
    text += "| `" + Cell(example.line) + "` | " + Cell(example.meaning) + " |\n";
  }
  return text;
}

std::string AnchorOf(const Command& command) { return "#fensi-" + command.name; }

}  // namespace

std::string CommandReference() {
  std::string text =
      "# Commands\n\nThis page has the text of `fensi help COMMAND` for all commands. `fensi help markdown` prints "
      "the page. [configuration.md](configuration.md) explains where the values of flags come from, and "
      "[exit-codes.md](exit-codes.md) explains the exit codes.\n\n"
      "| command | what it does |\n|---|---|\n";
  for (const Command& command : AllCommands()) {
    text += "| [" + command.name + "](" + AnchorOf(command) + ") | " + Cell(command.summary) + " |\n";
  }
  for (const Command& command : AllCommands()) text += SectionOf(command);
  return text;
}

}  // namespace fensi::cli
