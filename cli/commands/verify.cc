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
  command.summary = "compare an index with its source table";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Compares an index with its source table, and names each difference: an entry that is missing, an entry "
      "with another value (content_differs), or a cell that no source row gives (orphan). The command writes to "
      "neither table, and may run beside 'fensi run' and any writer.\n\n"
      "A difference counts if fensi finds the difference in two checks, and the source row has not changed "
      "between the checks. Before the second check, fensi waits for --recheck_s, and until the index's watermark "
      "(the time up to which the index is complete) shows that the index has applied the changes. For an index "
      "without a watermark ('fensi capture --watermark_interval_ms'), --recheck_s must be longer than the lag of "
      "the index. A row that changes during each check counts as not comparable (undecided).\n\n"
      "--start_row, --stop_row and --prefix choose source rows. If neither the row key nor the qualifier of an "
      "index cell contains the source row key, fensi compares the cell only in a comparison of all rows. "
      "--as_of=TIME leaves out rows and cells that are younger than TIME, and reports how many they are. Use "
      "--as_of for tables that are always written.\n\n"
      "With --distributed, any number of processes, on any machines, share one comparison through --meta_table. "
      "The same command starts, joins and continues the comparison, also after a kill. Each process that is "
      "running at the end prints the result of all processes. --restart starts a finished comparison again. "
      "--pause, --resume and --cancel act on all machines. With --distributed, fensi does not compare index "
      "cells that do not contain their source row key.\n\n"
      "--method=digest reads both tables once and compares sums of 1,048,576 buckets. fensi then reads only the "
      "buckets again whose sums differ. Use --method=digest for tables that hardly change: for such tables it is "
      "several times quicker. The digest method is slower if more than about 5 % of the buckets change during the "
      "run.\n\n"
      "Text output has the first 20 differences. --json and --report have all differences. A report without a "
      "summary at its end is incomplete. An index whose table was created again is 'mismatch' until a comparison "
      "of all rows finds no difference. Exit code 0: source and index are equal. 1: they differ. 2: fensi could "
      "not compare a part.";
  command.flags = FlagUses(
      "store! source_store direction method start_row stop_row prefix sample as_of recheck_s max_suspects "
      "rows_per_second report overwrite json distributed workers restart pause resume cancel meta_table "
      "clock_skew_ms connect_timeout_s");
  SetMeaning(&command, "restart",
             "with --distributed, begin the comparison again although the same comparison is done or was cancelled");
  SetMeaning(&command, "workers", "number of threads of this process that compare rows. Requires --distributed", "4");
  SetMeaning(&command, "overwrite", "replace the file of --report, if the file exists");
  SetMeaning(&command, "sample",
             "number of random ranges of 1,000 rows that fensi compares in each table, spread over its regions "
             "(default: all rows)");
  command.examples = {
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase", "compares all rows in both directions"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --report fensi.jsonl --rows_per_second "
       "5000",
       "compares slowly beside a daemon, and writes one JSON object a line into a file"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --sample 20",
       "compares 20 random ranges of 1,000 rows of each table, for a quick check"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --distributed --report fensi.jsonl",
       "shares the comparison with all machines that run this line. After a kill, run the line again"}};
  command.run = Verify;
  return command;
}

}  // namespace fensi::cli
