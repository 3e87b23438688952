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
  const operations::StopLimit limit(
      "verify", arguments[1],
      std::string("If a line above says 'waits for table', that table did not answer. To ") +
          (options.distributed ? "continue" : "compare from the beginning") + ", run the same command again");
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
      "Compares an index with its source table, and names each difference. A difference is a missing entry, an entry "
      "with another value (content_differs), or a cell that no source row gives (orphan). The command writes to "
      "neither table. 'fensi run' and other programs may write to the tables during a comparison.\n\n"
      "A difference counts only if two checks find the difference, and the source row has not changed between the "
      "checks. Before the second check, fensi waits for --recheck_s. fensi also waits until the watermark of the "
      "index is later than the first check, or has stood still for two minutes. The watermark is the time up to which "
      "the index is complete. If the "
      "index has no watermark ('fensi capture --watermark_interval_ms'), --recheck_s must be longer than the lag of "
      "the index. If a row changes during each check, the row counts as not comparable (undecided).\n\n"
      "--start_row, --stop_row and --prefix choose source rows. If an index cell has no source row key in its row "
      "key or qualifier, fensi compares the cell only in a comparison of all rows. With --as_of=TIME, fensi leaves "
      "out rows and cells that are younger than TIME, and reports their number. If applications write the tables all "
      "the time, use --as_of.\n\n"
      "With --distributed, any number of processes, on any machines, share one comparison through --meta_table. With "
      "--distributed, the same command starts, joins and continues the comparison. If a process was killed, run the "
      "same command again. Each process that is running at the end prints the result of all processes. --restart "
      "starts a finished comparison again. --pause, --resume and --cancel act on all machines. With --distributed, "
      "fensi does not compare index cells without a source row key in their row key or qualifier.\n\n"
      "With --method=digest, fensi reads the index and the source table once, and compares sums of 1,048,576 "
      "buckets. fensi then reads a bucket again only if the sums of the bucket differ. If the tables hardly change, "
      "--method=digest is several times quicker. If more than about 5 % of the buckets change during the run, "
      "--method=digest is slower.\n\n"
      "Text output has the first 20 differences. The output of --json and the file of --report have all differences. "
      "If a report has no summary at its end, the report is incomplete. If the table of an index was created again, "
      "the index is 'mismatch' until a comparison of all rows finds no difference. Exit code 0: source and index are "
      "equal. Exit code 1: source and index differ. Exit code 2: fensi could not compare a part of the rows.";
  command.flags = FlagUses(
      "store! source_store direction method start_row stop_row prefix sample as_of recheck_s max_suspects "
      "rows_per_second report overwrite json distributed workers restart pause resume cancel meta_table "
      "clock_skew_ms connect_timeout_s");
  SetMeaning(&command, "restart",
             "with --distributed, begin the comparison again, although the same comparison is done or was "
             "cancelled");
  SetMeaning(&command, "workers",
             "number of threads of this process that compare rows. --workers requires --distributed", "4");
  SetMeaning(&command, "overwrite", "replace the file of --report, if the file exists");
  SetMeaning(&command, "sample",
             "number of random ranges to compare in each table. A range has 1,000 rows. The ranges are spread "
             "over the regions of the table (default: all rows)");
  command.examples = {
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase", "compares all rows in both directions"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --report fensi.jsonl --rows_per_second "
       "5000",
       "compares at most 5,000 rows per second, and writes a report with one JSON object per line"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --sample 20",
       "compares 20 random ranges of 1,000 rows in each table, for a quick check"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --distributed --report fensi.jsonl",
       "shares the comparison with all machines that run the same command. If a process was killed, run the "
       "command again"}};
  command.run = Verify;
  return command;
}

}  // namespace fensi::cli
