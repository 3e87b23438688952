#include "cli/commands/commands.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

Result<int> Version(const Arguments&) {
  Print("fensi " FENSI_VERSION "\n");
  return kExitDone;
}

}  // namespace

Command VersionCommand() {
  Command command;
  command.name = "version";
  command.summary = "print the version";
  command.description = "Prints the version of the program.";
  command.examples = {{"fensi version", "prints \"fensi " FENSI_VERSION "\""}};
  command.run = Version;
  return command;
}

}  // namespace fensi::cli
