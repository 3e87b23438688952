#include "cli/program/command.h"

#include <utility>

#include "cli/program/suggest.h"

namespace fensi::cli {
namespace {

std::vector<Command>& Commands() {
  static std::vector<Command> commands;
  return commands;
}

}  // namespace

void SetCommands(std::vector<Command> commands) { Commands() = std::move(commands); }
const std::vector<Command>& AllCommands() { return Commands(); }

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
