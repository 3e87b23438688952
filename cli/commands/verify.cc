#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/operations_options.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/stop_limit.h"
#include "operations/jobs/unless_stopped.h"
#include "operations/mappings/mapping_files.h"
#include "operations/verify/verify_run.h"

namespace fensi::cli {
namespace {

Result<int> Verify(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const operations::VerifyRunOptions options, ReadVerifyOptions());
  FENSI_ASSIGN_OR_RETURN(const std::shared_ptr<const mapping::Index> index,
                         operations::LoadIndex(arguments[0], arguments[1], options.store.meta_table));
  operations::BlockStopSignals();
  const operations::StopLimit limit("verify");
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<store::Store> store,
                         operations::UnlessStopped([&] { return operations::OpenTablesToVerify(*index, options); },
                                                   "verify: stopped before anything was compared"));
  return operations::VerifyRun(index.get(), std::move(store), options).Run();
}

}  // namespace

Command VerifyCommand() {
  Command command;
  command.name = "verify";
  command.summary = "prove that an index is what its source says";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Compares an index with its source table, and names each difference: an entry that is missing, an entry with "
      "another value (content_differs), or a cell that no source row gives (orphan). It writes to neither table, and "
      "may run beside 'fensi run' and any writer.\n\n"
      "A difference counts if two looks find it and the source row has not changed between them. Before the second "
      "look fensi waits for --recheck_s, and until the index's watermark (the time up to which it is complete) shows "
      "that the index has followed. Without a watermark ('fensi capture --watermark_interval_ms'), --recheck_s must be "
      "longer than the lag of the index. A row that changes at each look counts as not comparable (undecided).\n\n"
      "--start_row, --stop_row and --prefix choose source rows. An index cell that does not name its source row, in "
      "its row key or qualifier, is compared only if you verify all rows. --as_of compares only what is older than a "
      "time, and counts the rest. Use it for tables that are always written.\n\n"
      "With --distributed any number of processes, on any machines, share one comparison through --meta_table. The "
      "same command starts it, joins it, and continues it after a kill. Each process that is there at the end prints "
      "the result of all. --restart starts a finished job again. --pause, --resume and --cancel act on all machines. "
      "In this mode fensi does not compare index cells that do not contain their source row key.\n\n"
      "--method=digest reads both tables once and compares sums of 1,048,576 buckets. Only buckets whose sums differ "
      "are read again. Use it for tables that hardly change: there it is several times quicker. It is slower if more "
      "than about 5 % of the buckets change during the run.\n\n"
      "Text output has the first 20 differences, --json and --report have all. A report without a summary at its end "
      "is incomplete. An index whose table was created again is 'mismatch' until a comparison of all rows finds "
      "nothing. Exit code 0: nothing differs. 1: something differs. 2: a part could not be compared.";
  command.flags = FlagUses(
      "store! source_store direction method start_row stop_row prefix sample as_of recheck_s max_suspects "
      "rows_per_second report overwrite json distributed workers restart pause resume cancel meta_table "
      "clock_skew_ms connect_timeout_s");
  SetMeaning(&command, "overwrite", "replace the file of --report, if it exists");
  SetMeaning(&command, "sample",
             "compare this number of random ranges of 1,000 rows of each table, spread over its regions (default: all "
             "rows)");
  command.examples = {
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase", "both directions, all rows"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --report fensi.jsonl --rows_per_second "
       "5000",
       "slowly, beside a daemon; one JSON object a line into a file"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --sample 20",
       "20 random ranges of 1,000 rows of each table: a quick look"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --distributed --report fensi.jsonl",
       "with all machines that run this line; also again after a kill"}};
  command.run = Verify;
  return command;
}

}  // namespace fensi::cli
