#include "base/bytes.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "operations/access/flag_faults.h"
#include "operations/console/console.h"
#include "operations/pause/index_pause.h"
#include "operations/pause/rest.h"

namespace fensi::cli {
namespace {

/// The pause is requested: now, or for a while already.
Result<int> EndWhenAtRest(const std::string& index) {
  if (!FLAGS_wait || FLAGS_wait_s == 0) return kExitDone;
  FENSI_RETURN_IF_ERROR(operations::AwaitRest(index, ReadDaemonsOptions(), std::chrono::seconds(FLAGS_wait_s)));
  Print("index " + index + ": the daemons have stopped writing\n");
  return kExitDone;
}

Result<int> Pause(const Arguments& arguments) {
  if (!FLAGS_wait && (FlagIsTyped("daemon") || FlagIsTyped("wait_s"))) {
    return operations::FlagRequires("--daemon or --wait_s", "--wait");
  }
  FENSI_ASSIGN_OR_RETURN(const operations::IndexPause pause,
                         operations::IndexPause::Open(arguments[0], arguments[1], ReadStoreOptions(), FLAGS_execute));
  const std::string index = "index " + pause.index();
  if (!pause.paused().empty()) {
    Print(index + ": the pause was already requested (" + Escape(pause.paused()) +
          "), so fensi did not record this --reason\n");
    return EndWhenAtRest(pause.index());
  }
  if (!FLAGS_execute) {
    Print(index + " is not paused\n");
    operations::SayDryRun("pause", "pause the index");
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(pause.Pause(FLAGS_reason));
  Print(index + ": the pause is requested\n");
  Say("pause: every 'fensi run' of " + index +
      " finishes its batch in flight, and then pauses, usually within 5 s. 'fensi status' shows the state of the "
      "index. If the index reads Kafka, run 'fensi resume' before Kafka deletes the waiting events (retention.ms of "
      "the topic)");
  return EndWhenAtRest(pause.index());
}

}  // namespace

Command PauseCommand() {
  Command command;
  command.name = "pause";
  command.summary = "pause an index in all daemons that run it";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Pauses an index: every daemon of the index finishes its batch, and writes nothing more until 'fensi resume'. "
      "A daemon that starts later, on any machine, also pauses the index. Daemons stay in their consumer group and "
      "keep their partitions. New events wait in the topic. The requests of 'fensi backfill' and 'fensi repair' also "
      "wait in their topic. 'fensi status' shows who paused the index, and why.\n\n"
      "Without --execute, the command only shows whether the index is paused. With --wait, the command ends when all "
      "daemons of this machine, or the daemons of --daemon, have stopped writing. Exit code 75: with --wait, not all "
      "daemons stopped within --wait_s. Exit code 69: with --wait, no daemon runs the index.\n\n"
      "If an index is paused, a run of a file, or a run with --until_end, does not start (exit code 78). If you "
      "pause an index during a run with --until_end, the run waits for 'fensi resume'. If you pause an index during "
      "a run of a file without --follow, the run continues. If a run has an embedded store open, this command "
      "cannot pause the index (exit code 69). Pause the index over HTTP, with --admin_control of the run ('fensi help "
      "admin-http'), or stop the run.";
  command.flags =
      FlagUses("store! reason! execute wait wait_s daemon daemon_ca_file admin_token_file connect_timeout_s");
  SetMeaning(&command, "admin_token_file",
             "file with the token of the daemons, in one line. Only the owner may read the file (mode 0600)");
  SetMeaning(&command, "wait_s", "how long --wait waits for the daemons, in seconds. 0: do not wait", "600");
  command.examples = {{"fensi pause guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --reason upgrade --execute",
                       "pauses the index. Its daemons then write nothing to its tables"}};
  command.run = Pause;
  return command;
}

}  // namespace fensi::cli
