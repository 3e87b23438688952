#include "base/clock.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/daemon_options.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "operations/access/flag_faults.h"
#include "operations/access/position.h"
#include "operations/status/status_report.h"

namespace fensi::cli {
namespace {

/// Checks the flags of the chosen way.
Status CheckWay(bool by_groups) {
  if (by_groups && FlagIsTyped("daemon")) {
    return operations::FlagsExclude("--daemon", "mapping files", "they show what Kafka and the store have");
  }
  if (by_groups && (!ReadSourceOptions().is_kafka() || FLAGS_store.empty())) {
    return operations::FlagRequires("a mapping file", "--source=kafka://HOST:PORT and --store");
  }
  if (!by_groups && (FlagIsTyped("source") || FlagIsTyped("store"))) {
    return operations::FlagRequires("--source or --store", "a mapping file");
  }
  return Status();
}

Result<int> ShowNow(const Arguments& paths) {
  const operations::StatusReportOptions options{FLAGS_json, FLAGS_max_lag_s};
  FENSI_ASSIGN_OR_RETURN(
      const bool trouble,
      paths.empty() ? operations::ReportDaemons(ReadDaemonsOptions(), options)
                    : operations::ReportGroups(
                          paths, {ReadStoreOptions(), ReadSourceKafkaOptions(), SplitList(FLAGS_index)}, options));
  return trouble ? kExitDifference : kExitDone;
}

/// Without end; who is away may come back.
Result<int> ShowAgainAndAgain(const Arguments& paths) {
  for (bool first = true;; first = false) {
    const bool drawn = StdoutIsTerminal() && !FLAGS_json;
    if (drawn) Print("\x1b[H\x1b[2J");
    if (!drawn && !first && !FLAGS_json) Print("\n");
    if (!FLAGS_json) Print(operations::TimeText(SystemClock()->WallMillis()) + "\n");
    const Result<int> shown = ShowNow(paths);
    if (!shown.ok() && shown.status().code() == StatusCode::kInvalidArgument) return shown.status();
    if (!shown.ok()) Say("status: " + shown.status().message());
    FENSI_RETURN_IF_ERROR(FinishOutput());
    SystemClock()->Sleep(std::chrono::seconds(FLAGS_interval_s));
  }
}

Result<int> ShowStatus(const Arguments& paths) {
  FENSI_RETURN_IF_ERROR(CheckWay(!paths.empty()));
  if (FlagIsTyped("interval_s") && !FLAGS_watch) {
    return operations::FlagRequires("--interval_s", "--watch");
  }
  return FLAGS_watch ? ShowAgainAndAgain(paths) : ShowNow(paths);
}

}  // namespace

Command StatusCommand() {
  Command command;
  command.name = "status";
  command.summary = "show the state of indexes and captures";
  command.arguments = "[MAPPING…]";
  command.max_arguments = kAnyNumber;
  command.description =
      "Asks the 'fensi run' and 'fensi capture' of this machine, or the daemons of --daemon. The command shows each "
      "index once, also if several daemons run the index. For each index, the command shows the state, and the lag "
      "in events and seconds. The command also shows the watermark (the time up to which the index has all changes). "
      "If an index does not work, the command shows the reason. With --json, the command prints the answer of each "
      "daemon, with the address of the daemon. Exit code 1: an index is stopped, is 'mismatch' (its table was "
      "dropped and created again), or lags by more than --max_lag_s. Exit code 69: no daemon answers, a daemon of "
      "--daemon does not answer, or only a 'fensi capture' was found.\n\n"
      "With mapping files, --source and --store, the command asks no daemon. From Kafka, the command reads the "
      "members and offsets of each index's consumer group, and the number of open dead letters. From the store, the "
      "command reads whether a 'fensi run' has started the index with the definition in the mapping file. From the "
      "store, the command also reads whether the index is paused. If a started index has no daemon, the exit code is "
      "1. If an index differs from its mapping file, or lags by more than --max_lag_s, the exit code is also 1.\n\n"
      "With --watch, the command repeats the output until Ctrl-C.";
  command.flags = FlagUses(
      "daemon daemon_ca_file max_lag_s admin_token_file json watch interval_s source store index meta_table "
      "kafka_property kafka_property_file connect_timeout_s");
  SetMeaning(&command, "admin_token_file",
             "file with the token of the daemons, in one line. Only the owner may read the file (mode 0600)");
  SetMeaning(&command, "source", "address of the topics: kafka://HOST:PORT[,HOST:PORT]");
  command.examples = {{"fensi status", "shows the indexes and captures of this machine"},
                      {"fensi status --daemon 10.0.0.1:16180,10.0.0.2:16180 --max_lag_s 60 --admin_token_file token",
                       "shows the indexes of both daemons. A monitoring check can use the exit code"},
                      {"fensi status guanzhu.yaml --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase",
                       "shows the state from Kafka and the store, and asks no daemon"}};
  command.run = ShowStatus;
  return command;
}

}  // namespace fensi::cli
