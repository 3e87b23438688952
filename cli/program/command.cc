#include "cli/program/command.h"

#include "cli/commands/commands.h"
#include "cli/program/suggest.h"

namespace fensi::cli {

const std::vector<Command>& AllCommands() {
  static const std::vector<Command> commands = MakeCommands();
  return commands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : AllCommands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string UnknownCommandText(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : AllCommands()) names.push_back(command.name);
  return "unknown command '" + std::string(name) + "'" + DidYouMean(name, names);
}

}  // namespace fensi::cli
