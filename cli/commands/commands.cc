#include "cli/commands/commands.h"

#include <algorithm>

namespace fensi::cli {
namespace {

bool Takes(const Command& command, const char* name) {
  return std::any_of(command.flags.begin(), command.flags.end(),
                     [name](const FlagUse& flag) { return flag.name == name; });
}

void Add(std::string_view flags, Command* command) {
  const std::vector<FlagUse> uses = FlagUses(flags);
  command->flags.insert(command->flags.end(), uses.begin(), uses.end());
}

/// Adds the flags of all commands that read mapping files, that connect to one store or two, or that have flags at all.
void AddCommonFlags(Command* command) {
  // Every command that reads mapping files reports their errors.
  if (command->arguments.find("MAPPING") != std::string::npos) Add("color", command);
  if (command->flags.empty()) return;
  const bool store = Takes(*command, "store");
  if (store) {
    Add("store_kerberos_service store_kerberos_masters store_allow_simple_auth store_qop store_tls_ca_file "
        "store_tls_cert_file store_tls_key_file",
        command);
  }
  if (Takes(*command, "source_store")) {
    Add("source_store_kerberos_service source_store_kerberos_masters source_store_qop source_store_tls_ca_file "
        "source_store_tls_cert_file source_store_tls_key_file",
        command);
  }
  if (store || Takes(*command, "kafka_property")) Add("kerberos_keytab kerberos_principal", command);
  Add("flagfile print_flags", command);
}

}  // namespace

std::vector<Command> MakeCommands() {
  std::vector<Command> commands = {RunCommand(),         StatusCommand(),     TopCommand(),     PauseCommand(),
                                   ResumeCommand(),      ReloadCommand(),     CaptureCommand(), CreateCommand(),
                                   InitCommand(),        ForecastCommand(),   CheckCommand(),   TestCommand(),
                                   ExplainCommand(),     LookupCommand(),     CodeCommand(),    ScanCommand(),
                                   TablesCommand(),      DescribeCommand(),   VerifyCommand(),  RepairCommand(),
                                   BackfillCommand(),    WaitCommand(),       SwitchCommand(),  ConvertCommand(),
                                   DropCommand(),        PublishCommand(),    TailCommand(),    ReplayCommand(),
                                   DeadLettersCommand(), CompletionCommand(), HelpCommand(),    VersionCommand()};
  for (Command& command : commands) AddCommonFlags(&command);
  return commands;
}

}  // namespace fensi::cli
