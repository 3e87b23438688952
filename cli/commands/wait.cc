#include <chrono>
#include <memory>

#include "base/clock.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "operations/access/position.h"
#include "operations/access/stores.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/stop_limit.h"
#include "operations/jobs/unless_stopped.h"
#include "operations/mappings/mapping_files.h"
#include "operations/wait/waiting.h"

namespace fensi::cli {
namespace {

/// Milliseconds since the epoch.
Result<int64_t> AskedTime() {
  if (FLAGS_until == "now") return SystemClock()->WallMillis() + FLAGS_clock_skew_ms;
  return operations::ParseTime(FLAGS_until, "--until");
}

Result<int> Wait(const Arguments& arguments) {
  if (FLAGS_until.empty())
    return Status(StatusCode::kInvalidArgument,
                  "--until is missing: give --until now, or a time such as 2016-12-20T12:00:00");
  // First of all: what is asked for is what was put before this command began.
  FENSI_ASSIGN_OR_RETURN(const int64_t until, AskedTime());
  const auto index = operations::LoadIndex(arguments[0], arguments[1], FLAGS_meta_table);
  FENSI_RETURN_IF_ERROR(index.status());
  operations::BlockStopSignals();
  const operations::StopLimit limit("wait", arguments[1], "To wait again, run the same command again");
  Result<std::unique_ptr<store::Store>> store =
      operations::UnlessStopped([] { return operations::OpenStoreToRead(ReadStoreOptions(), FLAGS_meta_table); },
                                "wait: stopped before the store had answered");
  FENSI_RETURN_IF_ERROR(store.status());
  return operations::Waiting(index->get(), std::move(*store),
                             {.until = until,
                              .until_now = FLAGS_until == "now",
                              .timeout = std::chrono::seconds(FLAGS_timeout_s),
                              .clock_skew = std::chrono::milliseconds(FLAGS_clock_skew_ms),
                              .meta_table = FLAGS_meta_table})
      .Run();
}

}  // namespace

Command WaitCommand() {
  Command command;
  command.name = "wait";
  command.summary = "wait until an index is complete up to a time";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Waits until every change of the source up to --until is in the index. Then the command prints the watermark "
      "of the index: the time up to which the index is complete. To read your own write, put the row, run the "
      "command with --until=now, and then read the index.\n\n"
      "The command needs 'fensi capture', and the HBase settings that 'fensi capture --plan' prints. The command "
      "also waits for the rows of bulk loads that HBase reports. Writes that skip the WAL are not in the index, "
      "because "
      "HBase does not replicate these changes. Exit code 75: the index was not complete within --timeout_s. Exit code "
      "78: the index has no watermark, or the index is "
      "'mismatch' (its table was dropped and created again).";
  command.flags = FlagUses("store! until! timeout_s clock_skew_ms meta_table connect_timeout_s");
  command.examples = {
      {"fensi wait guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --until now",
       "waits until your own write is in the index"},
      {"fensi wait guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --until 2016-12-20T12:00:00 --timeout_s 600",
       "waits until the index has all changes up to 2016-12-20T12:00:00 (UTC)"}};
  command.run = Wait;
  return command;
}

}  // namespace fensi::cli
