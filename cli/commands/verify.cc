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
      "Compares an index with its source table and names each difference: an entry that is missing, one with another "
      "value (content_differs), and a cell that no source row gives (orphan). It writes to neither, and may run "
      "beside 'fensi run' and any writer: a difference counts when two looks, one after the other, find it while the "
      "source row stands still. In between it waits --recheck_s, and until the index has followed, as its watermark "
      "says: without a watermark ('fensi capture --watermark_interval_ms'), or where it stood still for two minutes, "
      "--recheck_s must be longer than 'fensi run' takes. A row that changes whenever it is looked at is undecided. "
      "--start_row, --stop_row and --prefix choose source rows; where a cell does not tell its source row, only a "
      "comparison of all rows can judge it. --as_of leaves out, and counts, source rows and index cells that are "
      "younger: of a table that is written all the time it judges what stands still. With --distributed any number of "
      "processes, on any machines, share one comparison by the meta table: the same line begins it, joins it, and goes "
      "on after a kill; each that is there at the end tells the sum of all, and all that was found. --restart starts "
      "again a job that is over, --pause, --resume and --cancel act on all machines. Cells that do not tell their "
      "source row are not compared then. --method=digest reads both tables once and compares sums; only cells of the "
      "1,048,576 buckets that do not come out even are looked up, in a second reading of both. Of tables that hardly "
      "change that is several times quicker; where more than about one bucket in twenty changes meanwhile it is "
      "slower. Text has the first 20 differences, --json and --report all. An index whose table was made again is "
      "'mismatch' until such a comparison of all rows finds nothing. Exit code 0: nothing differs; 1: something does; "
      "2: some of it could not be compared. A report ends with a summary; one that does not is not whole.";
  command.flags = FlagUses(
      "store! direction method start_row stop_row prefix sample as_of recheck_s max_suspects "
      "rows_per_second report overwrite json distributed workers restart pause resume cancel meta_table "
      "clock_skew_ms connect_timeout_s");
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
