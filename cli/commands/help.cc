#include "cli/program/help.h"

#include "cli/commands/commands.h"
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
  const Command* command = FindCommand(arguments[0]);
  if (command == nullptr) return Status(StatusCode::kInvalidArgument, UnknownCommandText(arguments[0]));
  Print(CommandHelp(*command));
  return kExitDone;
}

}  // namespace

Command HelpCommand() {
  Command command;
  command.name = "help";
  command.summary = "show the commands, or the flags and examples of one";
  command.arguments = "[COMMAND|functions]";
  command.max_arguments = 1;
  command.description =
      "Shows the commands, or usage, flags and examples of one command. 'functions' shows what the templates of a "
      "mapping file "
      "can do.";
  command.examples = {{"fensi help run", "everything about 'fensi run'"},
                      {"fensi help functions", "every function of the mapping language, with an example"}};
  command.run = Help;
  return command;
}

}  // namespace fensi::cli
