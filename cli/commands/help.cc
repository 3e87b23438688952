#include "cli/help/help.h"

#include "cli/commands/commands.h"
#include "cli/help/manual.h"
#include "cli/help/reference.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

Result<int> ShowManual(const Arguments& arguments) {
  const Command* const command = arguments.size() == 2 ? FindCommand(arguments[1]) : nullptr;
  if (arguments.size() > 1 && command == nullptr)
    return InvalidArgument(
        "'fensi help man' takes the name of one command, as in 'fensi help man run'. 'fensi help' lists all commands");
  Print(command == nullptr ? ManualPage() : ManualPageOf(*command));
  return kExitDone;
}

Result<int> Help(const Arguments& arguments) {
  if (arguments.empty()) {
    Print(ProgramHelp());
    return kExitDone;
  }
  if (arguments[0] == "functions") {
    Print(FunctionsHelp());
    return kExitDone;
  }
  if (arguments[0] == "man") return ShowManual(arguments);
  if (arguments[0] == "markdown") {
    Print(CommandReference());
    return kExitDone;
  }
  const bool one = arguments.size() == 1;
  const Command* command = one ? FindCommand(arguments[0]) : nullptr;
  std::string topic = arguments[0];
  for (size_t i = 1; i < arguments.size(); ++i) topic += " " + arguments[i];
  std::string text = command != nullptr ? CommandHelp(*command) : TopicHelp(topic);
  if (text.empty()) text = SearchHelp(arguments);
  if (text.empty() && one)
    return InvalidArgument(UnknownCommandText(arguments[0]) +
                           ", and no page has this word. 'fensi help' lists all commands and pages");
  if (text.empty())
    return InvalidArgument("no command, flag, function or page has all of these words; give fewer words");
  Print(text);
  return kExitDone;
}

}  // namespace

Command HelpCommand() {
  Command command;
  command.name = "help";
  command.summary = "show all commands, the help of a command, or a page";
  command.arguments = "[COMMAND|functions|TOPIC|WORD…]";
  command.max_arguments = kAnyNumber;
  command.description =
      "Shows all commands, or the usage, flags and examples of one command. 'functions' shows the functions of the "
      "templates in a mapping file. A topic is a page of the documentation, a heading of a page (such as the name of "
      "an alert), a function, or an exit code. A topic is also an event of the log, a key of the mapping file, or a "
      "word of the glossary. If a word is no topic, fensi searches for the word in commands, flags, functions and "
      "pages. If a page has the name of a command, write NAME.md to see the page. 'man' prints the manual page of "
      "fensi for man(1). 'man COMMAND' prints the manual page of one command. 'markdown' prints the help of all "
      "commands as one page.";
  command.examples = {
      {"fensi help run", "shows usage, flags and examples of 'fensi run'"},
      {"fensi help functions", "shows every function of the mapping language, with an example"},
      {"fensi help events", "shows the page about change events"},
      {"fensi help replication scope", "shows where the words 'replication' and 'scope' occur"},
      {"fensi help 69", "explains exit code 69"},
      {"fensi help FensiIndexMismatch", "explains the alert FensiIndexMismatch, and shows the steps to take"}};
  command.run = Help;
  return command;
}

}  // namespace fensi::cli
