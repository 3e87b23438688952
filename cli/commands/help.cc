#include "cli/help/help.h"

#include "cli/commands/commands.h"
#include "cli/help/manual.h"
#include "cli/help/reference.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

Result<int> Help(const Arguments& arguments) {
  if (arguments.empty()) {
    Print(ProgramHelp());
    return kExitDone;
  }
  if (arguments[0] == "functions") {
    Print(FunctionsHelp());
    return kExitDone;
  }
  if (arguments[0] == "man") {
    Print(ManualPage());
    return kExitDone;
  }
  if (arguments[0] == "markdown") {
    Print(CommandReference());
    return kExitDone;
  }
  const Command* command = FindCommand(arguments[0]);
  const std::string text = command != nullptr ? CommandHelp(*command) : TopicHelp(arguments[0]);
  if (text.empty()) return Status(StatusCode::kInvalidArgument, UnknownCommandText(arguments[0]));
  Print(text);
  return kExitDone;
}

}  // namespace

Command HelpCommand() {
  Command command;
  command.name = "help";
  command.summary = "show the commands, the flags and examples of one, or a page";
  command.arguments = "[COMMAND|functions|TOPIC]";
  command.max_arguments = 1;
  command.description =
      "Shows the commands, or usage, flags and examples of one command. 'functions' shows what the templates of a "
      "mapping file can do; a topic is a page of the documentation, a function, an exit code, a key of the mapping "
      "file or a word of the glossary; 'man' is the manual page for man(1), 'markdown' all commands as a page.";
  command.examples = {{"fensi help run", "everything about 'fensi run'"},
                      {"fensi help functions", "every function of the mapping language, with an example"},
                      {"fensi help events", "what a change stream consists of"},
                      {"fensi help 69", "what an exit code means"}};
  command.run = Help;
  return command;
}

}  // namespace fensi::cli
