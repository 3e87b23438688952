// The program: finds the command, settles its flags, runs it, and turns the outcome into an exit code.
#include <unistd.h>

#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/help/help.h"
#include "cli/options/operations_options.h"
#include "cli/program/command.h"
#include "cli/program/descriptors.h"
#include "cli/program/library_log.h"
#include "cli/program/output.h"
#include "cli/program/terminal_console.h"
#include "cli/settings/settled.h"
#include "cli/settings/settled_again.h"
#include "daemon/log/log.h"
#include "operations/access/kerberos.h"

/// What jemalloc, which the program is linked to, asks for by this name (jemalloc(3)); MALLOC_CONF of the environment
/// goes before it. Few arenas, and pages back after a second instead of ten: each arena keeps what its threads have
/// freed, and most is freed by another thread than took it. With jemalloc's own four for each core a process holds a
/// fifth more, and is no quicker.
extern const char* malloc_conf;
const char* malloc_conf = "narenas:4,dirty_decay_ms:1000";

namespace fensi::cli {
namespace {

int RefuseLine(const Command& command, const Settled& settled) {
  for (const std::string& fault : settled.faults) Say(command.name + ": " + fault);
  Say(command.name + ": see 'fensi help " + command.name + "'");
  return ExitCode(settled.code);
}

int RefuseCommand(const std::string& fault) {
  Say(fault);
  Say("see 'fensi help'");
  return ExitCode(StatusCode::kInvalidArgument);
}

int Finish(const Command& command, const Result<int>& outcome) {
  const Status written = FinishOutput();
  if (!outcome.ok()) {
    daemon::TellFailure(command.name, outcome.status());
    return ExitCode(outcome.status().code());
  }
  if (written.ok()) return *outcome;
  Say(command.name + ": " + written.message());
  return ExitCode(written.code());
}

std::vector<std::string> Variables() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

int Execute(const Command& command, const std::vector<std::string>& words) {
  const std::vector<std::string> variables = Variables();
  const Settled settled = Settle(command, words, variables);
  if (settled.help) {
    Print(CommandHelp(command));
    return Finish(command, kExitDone);
  }
  if (!settled.faults.empty()) return RefuseLine(command, settled);
  if (settled.print_flags) {
    Print(FlagsText(command, settled.settings));
    return Finish(command, kExitDone);
  }
  ApplySettings(settled);
  // Never destroyed: detached threads may still log when the process ends.
  operations::UseConsole(new TerminalConsole(FLAGS_color));
  NoteStart(command, words, variables, settled);
  if (const Status read = ReadKafkaFlags(); !read.ok()) return Finish(command, read);
  const Status ready = operations::PrepareKerberos(FLAGS_kerberos_keytab, FLAGS_kerberos_principal);
  if (!ready.ok()) return Finish(command, ready);
  return Finish(command, command.run(settled.arguments));
}

int Main(std::vector<std::string> words) {
  SetCommands(MakeCommands());
  if (words.empty()) {
    Say("a command is missing\n" + ShortHelp());
    return ExitCode(StatusCode::kInvalidArgument);
  }
  std::string name = words.front();
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version" || name == "-V") name = "version";
  words.erase(words.begin());
  if (const Command* command = FindCommand(name)) return Execute(*command, words);
  return RefuseCommand(name.starts_with("-")
                           ? "the command comes first, then its flags: write 'fensi COMMAND " + name + "'"
                           : UnknownCommandText(name));
}

/// The only place where exceptions end: what escapes the modules is a fault of fensi or a lack of memory.
int MainWithoutExceptions(int argc, char** argv) {
  try {
    return Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    Say(InternalError(error).message());
  }
  return ExitCode(StatusCode::kInternal);
}

}  // namespace
}  // namespace fensi::cli

int main(int argc, char** argv) {
  // The reader of our output may leave (`| head -1`): a failed write is reported as any other.
  std::signal(SIGPIPE, SIG_IGN);
  fensi::cli::FillStandardDescriptors();
  fensi::cli::SilenceProtobuf();
  return argc < 1 ? 64 : fensi::cli::MainWithoutExceptions(argc, argv);
}
