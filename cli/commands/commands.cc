#include "cli/commands/commands.h"

namespace fensi::cli {

std::vector<Command> MakeCommands() {
  std::vector<Command> commands = {
      RunCommand(),      StatusCommand(), TopCommand(),        PauseCommand(),    ResumeCommand(),  ReloadCommand(),
      CaptureCommand(),  CreateCommand(), InitCommand(),       CheckCommand(),    TestCommand(),    ExplainCommand(),
      LookupCommand(),   ScanCommand(),   TablesCommand(),     DescribeCommand(), VerifyCommand(),  RepairCommand(),
      BackfillCommand(), WaitCommand(),   SwitchCommand(),     DropCommand(),     PublishCommand(), TailCommand(),
      ReplayCommand(),   ParkedCommand(), CompletionCommand(), HelpCommand(),     VersionCommand()};
  for (Command& command : commands) {
    // Who reads mapping files says what is wrong with them.
    if (command.arguments.find("MAPPING") != std::string::npos) command.flags.push_back({.name = "color"});
    if (command.flags.empty()) continue;
    for (const char* name : {"flagfile", "print_flags"}) command.flags.push_back({.name = name});
  }
  return commands;
}

}  // namespace fensi::cli
