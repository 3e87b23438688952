#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/daemon_options.h"
#include "cli/options/operations_options.h"
#include "daemon/sources/sources.h"
#include "operations/access/flag_faults.h"
#include "operations/backfill/backfilling.h"
#include "operations/backfill/stores.h"
#include "operations/backfill/wish.h"
#include "operations/console/console.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/stop_limit.h"
#include "operations/jobs/unless_stopped.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

/// Checks flags for several processes, which are meaningless for a store of one process.
Status CheckAlone() {
  for (const char* flag : {"workers", "ahead_rows"}) {
    if (!FlagIsTyped(flag)) continue;
    return operations::FlagsExclude(std::string("--") + flag, "an embedded store",
                                    "one thread scans the source, and one thread applies the rows");
  }
  if (!FLAGS_pause) return Status();
  return operations::FlagsExclude(
      "--pause", "an embedded store",
      "only one process can open the store. Stop the backfill with SIGTERM. The same command continues the backfill");
}

Status CheckSource(bool steers) {
  if (operations::IsOwnerItself(ReadStoreOptions()) && !FLAGS_source.empty()) {
    return operations::FlagsExclude(
        "--source", "an embedded store",
        "this process applies the rows itself. Wait until 'fensi run' has ended, then run the backfill without "
        "--source");
  }
  if (steers || operations::IsOwnerItself(ReadStoreOptions()) || ReadSourceOptions().is_kafka()) return Status();
  return Status(
      StatusCode::kInvalidArgument,
      "--source=kafka://HOST:PORT is missing: give the --source with which 'fensi run' of this index was started");
}

Result<int> Backfill(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(operations::BackfillWish wish, operations::AskedBackfill(ReadBackfillOptions()));
  // An embedded store has no continuing stream.
  wish.alone = operations::IsOwnerItself(ReadStoreOptions());
  if (wish.alone) wish.skip_watermark_check = true;
  if (wish.alone) FENSI_RETURN_IF_ERROR(CheckAlone());
  const std::optional<sweep::Wish> steer = AskedToSteer();
  FENSI_RETURN_IF_ERROR(CheckSource(steer.has_value()));
  const auto index = operations::LoadIndex(arguments[0], arguments[1], FLAGS_meta_table);
  FENSI_RETURN_IF_ERROR(index.status());
  operations::BlockStopSignals();
  const operations::StopLimit limit("backfill", arguments[1], "To continue, run the same command again");
  const std::string stopped = "backfill: stopped before anything was read";
  Result<std::shared_ptr<store::Store>> store = operations::UnlessStopped(
      [&] { return operations::OpenForBackfill(**index, ReadStoreOptions(), FLAGS_execute, steer.has_value()); },
      stopped);
  FENSI_RETURN_IF_ERROR(store.status());
  daemon::DeadLetterSinks letters(ReadSourceOptions());
  operations::Backfilling backfill(
      *index, std::move(*store), wish,
      {.store = ReadStoreOptions(),
       .kafka = ReadSourceKafkaOptions(),
       .execute = FLAGS_execute,
       .begin_wait = std::chrono::seconds(FLAGS_begin_wait_s),
       .workers = FLAGS_workers,
       .ahead_rows = FLAGS_ahead_rows,
       .json = FLAGS_json,
       .letters = [&letters](const mapping::Index& of) { return letters.For(of); },
       .letters_place = [&letters](const mapping::Index& of) { return letters.PlaceText(of); }});
  if (steer) return backfill.Steer(*steer);
  FENSI_RETURN_IF_ERROR(operations::UnlessStopped([&] { return backfill.Prepare(); }, stopped));
  backfill.PrintPlan();
  FENSI_RETURN_IF_ERROR(backfill.RequireProof());
  if (FLAGS_execute) return backfill.Execute();
  operations::SayDryRun("backfill", "begin the backfill, or to join a running one");
  return kExitDone;
}

}  // namespace

Command BackfillCommand() {
  Command command;
  command.name = "backfill";
  command.summary = "scan the source table, and add its older rows to an index";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Adds rows of the source table to an index. The command scans the source table, and sends each row to the "
      "'fensi run' that owns the partition of the row. 'fensi run' applies the row in order with the changes of the "
      "stream. A backfill never overwrites a newer change. Start 'fensi run' first: the command waits up to "
      "--begin_wait_s for a daemon. When the scan begins, the stream must already receive every change of the source "
      "table.\n\n"
      "Without --execute, the command shows its plan. With --execute, the command begins a backfill, or joins the "
      "running backfill. To share the work, run the same command on any number of machines. If a process was killed, "
      "run the command again. The command ends when all rows are scanned and applied. If the backfill is done or was "
      "cancelled, the command does not scan the rows again. To scan the rows again, give --execute with --restart.\n\n"
      "--start_row, --stop_row and --prefix choose rows by their keys. --from and --to choose rows by the times of "
      "their cells. To control a running backfill, give --pause, --resume or --cancel in place of --execute. "
      "--pause, --resume and --cancel act on all machines within seconds. After --cancel, the daemons still apply "
      "the rows that the command had already sent.\n\n"
      "Only one process can open an embedded store. For an embedded store, the command itself applies the rows. If "
      "rows of an embedded store became dead letters, the exit code is 1. For an embedded store, fensi refuses "
      "--pause. To stop a backfill of an embedded store, send SIGTERM. To continue a stopped backfill, run the same "
      "command again. While a backfill of an embedded store is stopped, --resume sets another pace, and --cancel "
      "ends the backfill.";
  command.flags = FlagUses(
      "store! source_store source start_row stop_row prefix from to rows_per_second bytes_per_second ahead_rows "
      "workers "
      "skip_watermark_check begin_wait_s execute restart pause resume cancel meta_table json dead_letters "
      "kafka_property kafka_property_file connect_timeout_s");
  SetMeaning(&command, "restart",
             "with --execute, scan the rows again, although the same backfill is done or was cancelled");
  SetMeaning(&command, "workers", "number of threads of this process that scan the source table", "4");
  SetMeaning(&command, "source",
             "address of the topics: kafka://HOST:PORT[,HOST:PORT]. With --store=embedded:DIR, --pause, "
             "--resume or --cancel, the flag is not required");
  SetMeaning(&command, "from",
             "use only rows with a cell of this time or later. Give a time such as 2026-01-31T12:00:00Z, 'now' "
             "or '-1d' (a day ago), or milliseconds since 1970");
  SetMeaning(&command, "to",
             "use only rows with a cell that is older than this time. --to has the same forms as --from");
  command.examples = {
      {"fensi backfill guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase",
       "shows the plan"},
      {"fensi backfill guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase "
       "--execute "
       "--rows_per_second 20000",
       "begins or joins the backfill. All machines together read at most 20,000 rows per second"},
      {"fensi backfill guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --pause",
       "pauses the backfill on all machines until --resume"}};
  command.run = Backfill;
  return command;
}

}  // namespace fensi::cli
