#include "cli/commands/commands.h"

namespace fensi::cli {

std::vector<Command> MakeCommands() {
  return {RunCommand(),  CaptureCommand(), CreateCommand(), InitCommand(),   CheckCommand(),
          TestCommand(), ExplainCommand(), LookupCommand(), ScanCommand(),   PublishCommand(),
          TailCommand(), ReplayCommand(),  HelpCommand(),   VersionCommand()};
}

}  // namespace fensi::cli
