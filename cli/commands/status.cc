#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/program/json_line.h"
#include "cli/program/output.h"
#include "cli/status/daemons.h"
#include "cli/status/standing.h"
#include "cli/status/status_text.h"

namespace fensi::cli {
namespace {

void PrintJson(const Daemons& daemons) {
  for (const Daemon& daemon : daemons.answered) {
    nlohmann::ordered_json line = {{"daemon", daemon.place}};
    line.update(daemon.status);
    Print(JsonLine(line));
  }
}

/// Whether an index needs somebody; says why.
bool AnyTrouble(const Standings& standings) {
  bool any = false;
  for (const IndexStanding& index : standings.indexes) {
    any = any || index.Stopped();
    const std::string late = FLAGS_max_lag_s > 0 ? WhyLate(index, FLAGS_max_lag_s) : "";
    if (late.empty()) continue;
    Say("index " + index.name + " is late: " + late);
    any = true;
  }
  return any;
}

Result<int> ShowStatus(const Arguments&) {
  const Result<Daemons> daemons = AskDaemons(std::chrono::seconds(3));
  FENSI_RETURN_IF_ERROR(daemons.status());
  const Result<Standings> standings = StandingsOf(daemons->answered);
  FENSI_RETURN_IF_ERROR(standings.status());
  if (FLAGS_json) {
    PrintJson(*daemons);
  } else {
    Print(StatusText(*standings));
  }
  const bool trouble = AnyTrouble(*standings);
  for (const Status& fault : daemons->faults) Say(fault.message());
  if (!FLAGS_daemon.empty() && !daemons->faults.empty()) {
    return Status(daemons->faults.front().code(), "not every daemon that was named has told its status");
  }
  return trouble ? kExitDifference : kExitDone;
}

}  // namespace

Command StatusCommand() {
  Command command;
  command.name = "status";
  command.summary = "show how the indexes and captures of running daemons stand";
  command.description =
      "Asks the 'fensi run' and 'fensi capture' of this machine, or those of --daemon, and shows each index once for "
      "all daemons of it: its state, how many events and seconds it is behind, up to when it is fresh, and what keeps "
      "it from work. Exit code 1: an index is stopped, or with --max_lag_s later than that; 69: no daemon answers, or "
      "one that was named does not. --json prints what each daemon says of itself, with its place.";
  command.flags = {{"daemon"}, {"max_lag_s"}, {"admin_token_file"}, {"json"}};
  command.examples = {{"fensi status", "the daemons of this machine"},
                      {"fensi status --daemon 10.0.0.1:16180,10.0.0.2:16180 --max_lag_s 60 --admin_token_file token",
                       "all daemons of a group, for a check that wakes somebody"}};
  command.run = ShowStatus;
  return command;
}

}  // namespace fensi::cli
