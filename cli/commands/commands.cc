#include "cli/commands/commands.h"

#include <algorithm>

namespace fensi::cli {
namespace {

bool Takes(const Command& command, const char* name) {
  return std::any_of(command.flags.begin(), command.flags.end(),
                     [name](const FlagUse& flag) { return flag.name == name; });
}

/// Who connects may have to say who it is.
void AddSecurity(Command* command) {
  const bool store = Takes(*command, "store");
  if (store) {
    for (const char* name :
         {"store_kerberos_service", "store_qop", "store_tls_ca_file", "store_tls_cert_file", "store_tls_key_file"}) {
      command->flags.push_back({.name = name});
    }
  }
  if (!store && !Takes(*command, "kafka_property")) return;
  for (const char* name : {"kerberos_keytab", "kerberos_principal"}) command->flags.push_back({.name = name});
}

}  // namespace

std::vector<Command> MakeCommands() {
  std::vector<Command> commands = {
      RunCommand(),      StatusCommand(), TopCommand(),    PauseCommand(),      ResumeCommand(), ReloadCommand(),
      CaptureCommand(),  CreateCommand(), InitCommand(),   CheckCommand(),      TestCommand(),   ExplainCommand(),
      LookupCommand(),   ScanCommand(),   TablesCommand(), DescribeCommand(),   VerifyCommand(), RepairCommand(),
      BackfillCommand(), WaitCommand(),   SwitchCommand(), MigrateCommand(),    DropCommand(),   PublishCommand(),
      TailCommand(),     ReplayCommand(), ParkedCommand(), CompletionCommand(), HelpCommand(),   VersionCommand()};
  for (Command& command : commands) {
    // Who reads mapping files says what is wrong with them.
    if (command.arguments.find("MAPPING") != std::string::npos) command.flags.push_back({.name = "color"});
    if (command.flags.empty()) continue;
    AddSecurity(&command);
    for (const char* name : {"flagfile", "print_flags"}) command.flags.push_back({.name = name});
  }
  return commands;
}

}  // namespace fensi::cli
