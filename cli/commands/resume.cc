#include "base/bytes.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "operations/console/console.h"
#include "operations/pause/index_pause.h"

namespace fensi::cli {
namespace {

Result<int> Resume(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const operations::IndexPause pause,
                         operations::IndexPause::Open(arguments[0], arguments[1], ReadStoreOptions(), FLAGS_execute));
  const std::string index = "index " + pause.index();
  if (pause.paused().empty()) {
    Print(index + " is not paused\n");
    return kExitDone;
  }
  const std::string by = " paused (" + Escape(pause.paused()) + ")\n";
  if (!FLAGS_execute) {
    Print(index + " is" + by);
    operations::SayDryRun("resume", "resume the index");
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(pause.Resume());
  Print(index + " was" + by);
  Say("resume: every 'fensi run' of " + index + " continues, usually within 5 s");
  return kExitDone;
}

}  // namespace

Command ResumeCommand() {
  Command command;
  command.name = "resume";
  command.summary = "let a paused index continue";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Ends a pause of 'fensi pause'. Within 5 s, every 'fensi run' of the index continues at the event at which it "
      "stopped. Without --execute, the command only shows who paused the index, when and why.";
  command.flags = FlagUses("store! execute connect_timeout_s");
  command.examples = {
      {"fensi resume guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --execute", "ends the pause"}};
  command.run = Resume;
  return command;
}

}  // namespace fensi::cli
