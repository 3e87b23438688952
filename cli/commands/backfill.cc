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
                                    "one thread scans, and another applies what it read");
  }
  if (!FLAGS_pause) return Status();
  return operations::FlagsExclude(
      "--pause", "an embedded store",
      "the backfill has the store alone. Stop it with SIGTERM; the same command continues it");
}

Status CheckSource(bool steers) {
  if (operations::IsOwnerItself(ReadStoreOptions()) && !FLAGS_source.empty()) {
    return operations::FlagsExclude("--source", "an embedded store",
                                    "this process applies the rows itself. Let 'fensi run' end its file first");
  }
  if (steers || operations::IsOwnerItself(ReadStoreOptions()) || ReadSourceOptions().is_kafka()) return Status();
  return Status(StatusCode::kInvalidArgument,
                "--source=kafka://HOST:PORT is missing: name the stream that 'fensi run' of this index reads");
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
  const operations::StopLimit limit("backfill");
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
  command.summary = "bring rows into an index that were there before its stream";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Brings the rows of the source table into an index. It scans the source and sends each row to the 'fensi run' "
      "that owns the row. That daemon applies the row in order with the changes of the stream, so that a newer change "
      "is never overwritten. Start 'fensi run' first: backfill waits --begin_wait_s for it. The stream must already "
      "have every change when the scan begins.\n\n"
      "Without --execute it shows its plan. With --execute it begins a backfill, or joins the running one: run the "
      "same command on any number of machines, and again after a kill. It ends when all rows are scanned and applied. "
      "--start_row, --stop_row, --prefix, and --from and --to (rows with a cell of that time) choose rows. --pause, "
      "--resume and --cancel act on all machines within seconds. Requests that were sent before --cancel are still "
      "applied.\n\n"
      "Only one process can open an embedded store. There the command itself applies the rows, and its exit code is 1 "
      "if some rows went to the dead letters. --pause is refused. SIGTERM stops the backfill, and the same command "
      "continues it. Between two runs, --resume sets another pace, and --cancel ends the backfill.";
  command.flags = FlagUses(
      "store! source_store source start_row stop_row prefix from to rows_per_second bytes_per_second ahead_rows "
      "workers "
      "skip_watermark_check begin_wait_s execute restart pause resume cancel meta_table json dead_letters "
      "kafka_property kafka_property_file connect_timeout_s");
  SetMeaning(&command, "source",
             "the topics: kafka://HOST:PORT[,HOST:PORT]; required, unless --store is embedded:DIR or the "
             "command only pauses, resumes or cancels");
  SetMeaning(&command, "from", "only rows with a cell from this time on");
  SetMeaning(&command, "to", "only rows with a cell from before this time");
  command.examples = {
      {"fensi backfill guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase",
       "the plan"},
      {"fensi backfill guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase "
       "--execute "
       "--rows_per_second 20000",
       "makes it, or joins it; 20,000 rows a second on all machines together"},
      {"fensi backfill guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --pause",
       "on all machines, until --resume"}};
  command.run = Backfill;
  return command;
}

}  // namespace fensi::cli
