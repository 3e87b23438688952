#include <memory>
#include <random>

#include "base/bytes.h"
#include "base/joined.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/jobs/join.h"
#include "cli/jobs/stop_limit.h"
#include "cli/mappings/mapping_files.h"
#include "cli/planning/table_plan.h"
#include "cli/program/output.h"
#include "cli/redefinition/own_name.h"
#include "cli/run/signals.h"
#include "cli/run/unless_stopped.h"
#include "cli/verify/as_of.h"
#include "cli/verify/incarnation.h"
#include "cli/verify/report.h"
#include "cli/verify/shared_verification.h"
#include "cli/verify/table_proof.h"
#include "cli/verify/verification.h"
#include "cli/verify/verified.h"
#include "meta/meta_table.h"

namespace fensi::cli {
namespace {

using mapping::Index;

/// What only one of many that share a comparison can be told, and what only one alone can do.
Status CheckJob() {
  for (const char* flag : {"workers", "again", "pause", "resume", "cancel"}) {
    if (FLAGS_job || !FlagIsTyped(flag)) continue;
    return Status(StatusCode::kInvalidArgument, std::string("--") + flag + " belongs to --job, which is not given");
  }
  if (!FLAGS_job) return Status();
  if (FLAGS_pause + FLAGS_resume + FLAGS_cancel > 1) {
    return Status(StatusCode::kInvalidArgument, "--pause, --resume and --cancel exclude one another");
  }
  if (FlagIsGiven("sample")) {
    return Status(StatusCode::kInvalidArgument, "--sample does not go with --job: it is over before it is shared");
  }
  if (FLAGS_as_of == "mark") {
    return Status(StatusCode::kInvalidArgument,
                  "--as_of=mark does not go with --job: each process would have a mark of its own; name a time");
  }
  if (!StoreIsEmbedded(FLAGS_store) || !FlagIsTyped("workers")) return Status();
  return Status(StatusCode::kInvalidArgument,
                "--workers does not go with an embedded store: who has it alone takes over what anybody has in hand");
}

/// A sum says something of whole tables only.
Status CheckMethod() {
  if (FLAGS_method != "digest") return {};
  for (const char* flag : {"direction", "start_row", "stop_row", "prefix", "sample", "job"}) {
    if (!FlagIsGiven(flag)) continue;
    return Status(StatusCode::kInvalidArgument, std::string("--") + flag +
                                                    " does not go with --method=digest, which sums all rows of both "
                                                    "tables in one process");
  }
  return {};
}

Status CheckFlags() {
  FENSI_RETURN_IF_ERROR(CheckJob());
  FENSI_RETURN_IF_ERROR(CheckMethod());
  if (FLAGS_overwrite && FLAGS_report.empty()) {
    return Status(StatusCode::kInvalidArgument, "--overwrite belongs to --report, which is not given");
  }
  if (!FLAGS_prefix.empty() && !(FLAGS_start_row.empty() && FLAGS_stop_row.empty())) {
    return Status(StatusCode::kInvalidArgument, "--prefix does not go with --start_row and --stop_row");
  }
  FENSI_RETURN_IF_ERROR(CheckAsOf());
  if (!FLAGS_start_row.empty() && !FLAGS_stop_row.empty() && *Unescape(FLAGS_start_row) >= *Unescape(FLAGS_stop_row)) {
    return Status(StatusCode::kInvalidArgument, "no row lies from --start_row to --stop_row");
  }
  return Status();
}

sweep::CompareOptions AskedOptions() {
  sweep::CompareOptions options;
  options.forward = FLAGS_direction != "reverse";
  options.backward = FLAGS_direction != "forward";
  options.digest = FLAGS_method == "digest";
  options.start_row = *Unescape(FLAGS_prefix.empty() ? FLAGS_start_row : FLAGS_prefix);
  options.stop_row = FLAGS_prefix.empty() ? *Unescape(FLAGS_stop_row) : PrefixEnd(options.start_row);
  options.walk.sample = FlagIsGiven("sample") ? static_cast<size_t>(FLAGS_sample) : 0;
  options.walk.seed = std::random_device()();
  options.walk.rows_per_second = FLAGS_rows_per_second;
  options.judge.recheck = std::chrono::seconds(FLAGS_recheck_s);
  options.judge.max_suspects = static_cast<size_t>(FLAGS_max_suspects);
  return options;
}

/// The source, and the table of jobs, which an embedded store gets as 'fensi backfill' makes it.
Status RequireJobTables(const Index& index, store::Store* store) {
  FENSI_RETURN_IF_ERROR(RequireTable(store, index.source_table()).status());
  if (!StoreIsEmbedded(FLAGS_store)) {
    return RequireTable(store, FLAGS_meta_table).status().WithContext("make it with 'fensi create … --execute'");
  }
  Result<PlannedTable> meta = PlanMetaTable(FLAGS_meta_table, store);
  FENSI_RETURN_IF_ERROR(meta.status());
  return CreateTables({std::move(*meta)}, store);
}

/// With the tables there that are compared; those of periods may be missing.
Result<std::shared_ptr<store::Store>> OpenTables(const Index& index) {
  Result<std::unique_ptr<store::Store>> store = FLAGS_job ? OpenStoreToWrite() : OpenStoreToRead(index.source_table());
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_RETURN_IF_ERROR(RequireOwnName(index, store->get()));
  if (FLAGS_job) FENSI_RETURN_IF_ERROR(RequireJobTables(index, store->get()));
  if (!index.table_is_template()) FENSI_RETURN_IF_ERROR(RequireTable(store->get(), index.table()).status());
  return std::shared_ptr<store::Store>(std::move(*store));
}

/// Of a comparison that came to its end.
int CodeOf(const sweep::Counts& counts) {
  if (counts.differences() > 0) return kExitDifference;
  // A slip of the pen in --as_of must not pass for an index that is right.
  if (counts.younger > 0 && counts.entries + counts.cells == 0) return kExitNotComparable;
  // Nor one in the rows.
  const bool some_rows = !(FLAGS_prefix.empty() && FLAGS_start_row.empty() && FLAGS_stop_row.empty());
  if (some_rows && counts.rows + counts.cells == 0) {
    Say("verify: nothing lies in the rows that were named, so nothing is proved");
    return kExitNotComparable;
  }
  return counts.undecided > 0 || counts.unattributed > 0 ? kExitNotComparable : kExitDone;
}

/// No row of the source has a cell that the index reads, and the index has none: a column or a family is misspelt, if
/// the source has rows at all.
Result<bool> LookedAtNothing(const Index& index, const sweep::Counts& counts, store::Store* store) {
  const bool all_rows = FLAGS_prefix.empty() && FLAGS_start_row.empty() && FLAGS_stop_row.empty();
  if (!all_rows || FLAGS_direction == "reverse" || counts.rows + counts.cells + counts.younger > 0) return false;
  store::ScanRequest request;
  request.keys_only = true;
  request.max_rows = 1;
  request.max_cells = 1;
  const Result<std::vector<store::Row>> any = store->Scan(index.source_table(), request);
  FENSI_RETURN_IF_ERROR(any.status());
  if (any->empty()) return false;
  Say("verify: no row of table " + index.source_table() + " has a cell that the index watches (" +
      Joined(WatchTexts(index.watches())) +
      "), and the index is empty: nothing was compared, so nothing is proved. Is a family or a column misspelt? 'fensi "
      "check MAPPING --online --store …' compares the mapping with rows of the table");
  return true;
}

void NoteTable(const Index& index, const TableProof& proof, const std::optional<store::TableIdentity>& table,
               const sweep::CompareOptions& options, const sweep::Counts& counts, store::Store* store) {
  if (CodeOf(counts) != kExitDone || !sweep::ComparesAll(options)) return;
  if (!StoreIsEmbedded(FLAGS_store) || FLAGS_job) return proof.Note(table, store);
  if (!proof.mismatch()) return;
  Say("verify: nothing differs, and this process only reads the store, so that index " + index.name() +
      " stays 'mismatch': 'fensi repair MAPPING " + index.name() + " --direct --execute' ends that");
}

Result<int> Compare(const Index& index, const std::string& incarnation, std::shared_ptr<store::Store> store,
                    VerifyReport* report) {
  sweep::CompareOptions options = AskedOptions();
  const Result<int64_t> as_of = AskedAsOf(index, incarnation, store.get());
  FENSI_RETURN_IF_ERROR(as_of.status());
  options.as_of = *as_of;
  const TableProof proof(index, "verify", store.get());
  FENSI_RETURN_IF_ERROR(report->Begin(options, {incarnation, proof.table()}));
  const int64_t began = SystemClock()->WallMillis();
  Verification verification(&index, incarnation, store, options, report);
  Status end = verification.Run();
  if (end.ok()) end = CheckStillThe(index, incarnation, store.get());
  const sweep::Comparison& comparison = verification.comparison();
  FENSI_RETURN_IF_ERROR(report->End(comparison.counts(), end));
  if (end.ok()) {
    const Result<bool> nothing = LookedAtNothing(index, comparison.counts(), store.get());
    FENSI_RETURN_IF_ERROR(nothing.status());
    if (*nothing) return kExitNotComparable;
  }
  // An embedded store is open to read: whoever runs the index has it.
  if (end.ok() && !StoreIsEmbedded(FLAGS_store)) {
    NoteVerified(index, incarnation, store.get(), ResultOf(comparison.counts(), options, began));
  }
  if (end.ok()) NoteTable(index, proof, proof.table(), options, comparison.counts(), store.get());
  if (end.ok()) return CodeOf(comparison.counts());
  if (!comparison.too_many()) return end;
  Say("verify: " + end.message());
  return kExitNotComparable;
}

JobWish AskedJob(const std::string& incarnation, const sweep::CompareOptions& options) {
  JobWish wish{.kind = "verify", .anew = "--again", .incarnation = incarnation};
  wish.arguments = "index " + incarnation + ", " + ComparedText(options);
  wish.pace.rows_per_second = FLAGS_rows_per_second;
  wish.paced = FlagIsGiven("rows_per_second");
  wish.again = FLAGS_again;
  wish.alone = StoreIsEmbedded(FLAGS_store);
  return wish;
}

/// `made`: this process made the job, and nobody has compared anything before.
Result<sweep::Job> Join(const Index& index, const meta::SharedRow& row, const JobWish& wish,
                        const sweep::CompareOptions& options, store::Store* store, bool* made) {
  const Result<std::vector<sweep::RowRange>> ranges = RangesToCompare(index, options, store);
  FENSI_RETURN_IF_ERROR(ranges.status());
  const int64_t now = SystemClock()->WallMillis();
  Result<sweep::Job> job = JoinJob(row, wish, *ranges, now);
  FENSI_RETURN_IF_ERROR(job.status());
  *made = job->ended_at == 0 && job->made_at == now;
  if (job->ended_at != 0) {
    Say("verify: done since " + TimeText(job->ended_at) + "; --again compares once more");
  } else if (job->made_at != now) {
    Say("verify: goes on with the one made at " + TimeText(job->made_at));
  }
  return job;
}

/// With all others that have the same job.
Result<int> CompareTogether(const Index& index, const std::string& incarnation, std::shared_ptr<store::Store> store,
                            VerifyReport* report) {
  sweep::CompareOptions options = AskedOptions();
  const Result<int64_t> as_of = AskedAsOf(index, incarnation, store.get());
  FENSI_RETURN_IF_ERROR(as_of.status());
  options.as_of = *as_of;
  const meta::SharedRow row(store.get(), FLAGS_meta_table, meta::JobRow(index.name(), "verify"));
  const JobWish wish = AskedJob(incarnation, options);
  const TableProof proof(index, "verify", store.get());
  bool made = false;
  const Result<sweep::Job> job = Join(index, row, wish, options, store.get(), &made);
  FENSI_RETURN_IF_ERROR(job.status());
  // What others compared before may have been another table.
  const std::optional<store::TableIdentity> table = made ? proof.table() : std::nullopt;
  FENSI_RETURN_IF_ERROR(report->Begin(options, {incarnation, table, job->made_at}));
  SharedVerification together(
      {&index, incarnation, store, options, row, job->name, wish.alone ? 1 : FLAGS_workers, wish.alone});
  Status end = together.Run();
  if (end.ok()) end = CheckStillThe(index, incarnation, store.get());
  sweep::Counts counts;
  const Status told = together.Tell(end.ok(), report, &counts);
  FENSI_RETURN_IF_ERROR(report->End(counts, end.ok() ? told : end));
  if (end.code() == StatusCode::kRejected) Say("verify: " + end.message());
  if (end.code() == StatusCode::kRejected) return kExitNotComparable;
  FENSI_RETURN_IF_ERROR(end);
  FENSI_RETURN_IF_ERROR(told);
  const Result<bool> nothing = LookedAtNothing(index, counts, store.get());
  FENSI_RETURN_IF_ERROR(nothing.status());
  if (*nothing) return kExitNotComparable;
  // One that was over before is noted already, and proves nothing of now.
  if (job->ended_at == 0) NoteVerified(index, incarnation, store.get(), ResultOf(counts, options, job->made_at));
  NoteTable(index, proof, table, options, counts, store.get());
  return CodeOf(counts);
}

Result<int> SteerVerify(const Index& index, sweep::Wish what, store::Store* store) {
  const meta::SharedRow row(store, FLAGS_meta_table, meta::JobRow(index.name(), "verify"));
  FENSI_RETURN_IF_ERROR(SteerJob(row, AskedJob("", AskedOptions()), index.name(), what));
  Say(std::string("verify: ") + SteeredText(what) + "; workers follow within seconds");
  return kExitDone;
}

Result<int> Verify(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckFlags());
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  BlockStopSignals();
  const StopLimit limit("verify");
  Result<std::shared_ptr<store::Store>> store =
      UnlessStopped([&] { return OpenTables(**index); }, "verify: stopped before anything was compared");
  FENSI_RETURN_IF_ERROR(store.status());
  const Result<std::string> incarnation = IncarnationOf(**index, store->get());
  FENSI_RETURN_IF_ERROR(incarnation.status());
  const std::optional<sweep::Wish> steer = AskedToSteer();
  if (steer) return SteerVerify(**index, *steer, store->get());
  Result<ReportFile> file = ReportFile::Open(FLAGS_report, FLAGS_overwrite);
  FENSI_RETURN_IF_ERROR(file.status());
  VerifyReport report(index->get(), std::move(*file), FLAGS_json, SystemClock());
  TellOfPhase(**index, *incarnation, store->get());
  if (FLAGS_job) return CompareTogether(**index, *incarnation, std::move(*store), &report);
  return Compare(**index, *incarnation, std::move(*store), &report);
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
      "source row stands still. In between it waits --recheck_s, and until the index has followed, as its marks say: "
      "without marks ('fensi capture --mark_ms'), or where they stood still for two minutes, --recheck_s must be "
      "longer than 'fensi run' takes. A row that changes whenever it is looked at is undecided. --start_row, "
      "--stop_row and --prefix choose source rows; where a cell does not tell its source row, only a comparison of "
      "all rows can judge it. --as_of leaves out, and counts, source rows and index cells that are younger: of a "
      "table that is written all the time it judges what stands still. With --job any number of processes, on any "
      "machines, share one comparison by the meta table: the same line begins it, joins it, and goes on after a kill; "
      "each that is there at the end tells the sum of all, and all that was found. --again begins anew what is over, "
      "--pause, --resume and --cancel act on all machines. Cells that do not tell their source row are not compared "
      "then. --method=digest reads both tables once and compares sums; only cells of the 1,048,576 buckets that do "
      "not come out even are looked up, in a second reading of both. Of tables that hardly change that is several "
      "times quicker; where more than about one bucket in twenty changes meanwhile it is slower. Text has the first "
      "20 differences, --json and --report all. An index whose table was made again is 'mismatch' until such a "
      "comparison of all rows finds nothing. Exit code 0: nothing differs; 1: something does; 2: some of it could "
      "not be compared. A report ends with a summary; one that does not is not whole.";
  command.flags = {{"store", true},
                   {"direction"},
                   {"method"},
                   {"start_row"},
                   {"stop_row"},
                   {"prefix"},
                   {"sample"},
                   {"as_of"},
                   {"recheck_s"},
                   {"max_suspects"},
                   {"rows_per_second"},
                   {"report"},
                   {"overwrite"},
                   {"json"},
                   {"job"},
                   {"workers"},
                   {"again"},
                   {"pause"},
                   {"resume"},
                   {"cancel"},
                   {"meta_table"},
                   {"clock_skew_ms"},
                   {"connect_timeout_s"}};
  command.examples = {
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090", "both directions, all rows"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --report fensi.jsonl --rows_per_second 5000",
       "slowly, beside a daemon; one JSON object a line into a file"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --sample 20",
       "20 random ranges of 1,000 rows of each table: a quick look"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --job --report fensi.jsonl",
       "with all machines that run this line; also again after a kill"}};
  command.run = Verify;
  return command;
}

}  // namespace fensi::cli
