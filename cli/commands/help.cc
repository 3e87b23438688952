#include "cli/help.h"

#include "cli/commands/commands.h"
#include "cli/output.h"

namespace fensi::cli {
namespace {

Result<int> Help(const Arguments& arguments) {
  if (arguments.empty()) {
    Print(ProgramHelp());
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
  command.arguments = "[COMMAND]";
  command.max_arguments = 1;
  command.description = "Shows the commands, or usage, flags and examples of one command.";
  command.examples = {{"fensi help run", "everything about 'fensi run'"}};
  command.run = Help;
  return command;
}

}  // namespace fensi::cli
