#include "cli/commands/commands.h"

namespace fensi::cli {

std::vector<Command> MakeCommands() {
  return {CheckCommand(), LookupCommand(), ScanCommand(), HelpCommand(), VersionCommand()};
}

}  // namespace fensi::cli
