#include "cli/program/command.h"

#include <sstream>
#include <utility>

#include "base/shown_text.h"

namespace fensi::cli {
namespace {

std::vector<Command>& Commands() {
  static std::vector<Command> commands;
  return commands;
}

}  // namespace

std::vector<FlagUse> FlagUses(std::string_view names) {
  std::vector<FlagUse> uses;
  std::istringstream words{std::string(names)};
  for (std::string word; words >> word;) {
    FlagUse use{.required = word.back() == '!', .hidden = word.back() == '?'};
    if (use.required || use.hidden) word.pop_back();
    use.name = std::move(word);
    uses.push_back(std::move(use));
  }
  return uses;
}

void SetMeaning(Command* command, std::string_view flag, std::string meaning, std::string standard) {
  for (FlagUse& use : command->flags) {
    if (use.name != flag) continue;
    use.meaning = std::move(meaning);
    use.standard = std::move(standard);
    return;
  }
}

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
