// One maker per sub-command; each is in the file of its name.
#pragma once

#include <vector>

#include "cli/program/command.h"

namespace fensi::cli {

/// All commands in the order of `fensi help`.
std::vector<Command> MakeCommands();

Command CaptureCommand();
Command CheckCommand();
Command CompletionCommand();
Command CreateCommand();
Command DescribeCommand();
Command DropCommand();
Command ExplainCommand();
Command ForecastCommand();
Command HelpCommand();
Command InitCommand();
Command CodeCommand();
Command LookupCommand();
Command ConvertCommand();
Command DeadLettersCommand();
Command PauseCommand();
Command PublishCommand();
Command ReloadCommand();
Command ReplayCommand();
Command ResumeCommand();
Command RunCommand();
Command ScanCommand();
Command StatusCommand();
Command SwitchCommand();
Command TablesCommand();
Command TailCommand();
Command TestCommand();
Command TopCommand();
Command VerifyCommand();
Command BackfillCommand();
Command RepairCommand();
Command VersionCommand();
Command WaitCommand();

}  // namespace fensi::cli
