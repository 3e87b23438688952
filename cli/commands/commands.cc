#include "cli/commands/commands.h"

namespace fensi::cli {

std::vector<Command> MakeCommands() {
  return {RunCommand(),    StatusCommand(), PauseCommand(),      ResumeCommand(),  CaptureCommand(),
          CreateCommand(), InitCommand(),   CheckCommand(),      TestCommand(),    ExplainCommand(),
          LookupCommand(), ScanCommand(),   VerifyCommand(),     RepairCommand(),  BackfillCommand(),
          WaitCommand(),   SwitchCommand(), DropCommand(),       PublishCommand(), TailCommand(),
          ReplayCommand(), ParkedCommand(), CompletionCommand(), HelpCommand(),    VersionCommand()};
}

}  // namespace fensi::cli
