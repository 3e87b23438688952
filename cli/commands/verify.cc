#include <memory>
#include <random>

#include "base/bytes.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/run/signals.h"
#include "cli/run/unless_stopped.h"
#include "cli/verify/as_of.h"
#include "cli/verify/report.h"
#include "cli/verify/verification.h"
#include "indexer/index_meta.h"

namespace fensi::cli {
namespace {

using mapping::Index;

Status CheckFlags() {
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
  options.start_row = *Unescape(FLAGS_prefix.empty() ? FLAGS_start_row : FLAGS_prefix);
  options.stop_row = FLAGS_prefix.empty() ? *Unescape(FLAGS_stop_row) : PrefixEnd(options.start_row);
  options.walk.sample = FlagIsGiven("sample") ? static_cast<size_t>(FLAGS_sample) : 0;
  options.walk.seed = std::random_device()();
  options.walk.rows_per_second = FLAGS_rows_per_second;
  options.judge.recheck = std::chrono::seconds(FLAGS_recheck_s);
  options.judge.max_suspects = static_cast<size_t>(FLAGS_max_suspects);
  return options;
}

/// With the tables there that are compared; those of periods may be missing.
Result<std::shared_ptr<store::Store>> OpenTables(const Index& index) {
  Result<std::unique_ptr<store::Store>> store = OpenStoreToRead(index.source_table());
  FENSI_RETURN_IF_ERROR(store.status());
  if (!index.table_is_template()) FENSI_RETURN_IF_ERROR(RequireTable(store->get(), index.table()).status());
  return std::shared_ptr<store::Store>(std::move(*store));
}

/// Empty: nobody has begun the index. kConfiguration: it was begun with another definition.
Result<std::string> IncarnationOf(const Index& index, store::Store* store) {
  const Result<std::optional<indexer::IndexMeta::Begun>> known = indexer::IndexMeta(&index, store).Known();
  if (known.status().code() == StatusCode::kNotFound) return std::string();
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value() ? (*known)->incarnation : "";
}

/// Of a comparison that came to its end.
int CodeOf(const sweep::Counts& counts) {
  if (counts.differences() > 0) return kExitDifference;
  // A slip of the pen in --as_of must not pass for an index that is right.
  if (counts.younger > 0 && counts.entries + counts.cells == 0) return kExitNotComparable;
  return counts.undecided > 0 || counts.unattributed > 0 ? kExitNotComparable : kExitDone;
}

Result<int> Compare(const Index& index, const std::string& incarnation, std::shared_ptr<store::Store> store,
                    VerifyReport* report) {
  sweep::CompareOptions options = AskedOptions();
  const Result<int64_t> as_of = AskedAsOf(index, incarnation, store.get());
  FENSI_RETURN_IF_ERROR(as_of.status());
  options.as_of = *as_of;
  FENSI_RETURN_IF_ERROR(report->Begin(options, incarnation));
  Verification verification(&index, incarnation, std::move(store), options, report);
  const Status end = verification.Run();
  const sweep::Comparison& comparison = verification.comparison();
  FENSI_RETURN_IF_ERROR(report->End(comparison.counts(), end));
  if (end.ok()) return CodeOf(comparison.counts());
  if (!comparison.too_many()) return end;
  Say("verify: " + end.message());
  return kExitNotComparable;
}

Result<int> Verify(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckFlags());
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  BlockStopSignals();
  Result<std::shared_ptr<store::Store>> store =
      UnlessStopped([&] { return OpenTables(**index); }, "verify: stopped before anything was compared");
  FENSI_RETURN_IF_ERROR(store.status());
  const Result<std::string> incarnation = IncarnationOf(**index, store->get());
  FENSI_RETURN_IF_ERROR(incarnation.status());
  Result<ReportFile> file = ReportFile::Open(FLAGS_report, FLAGS_overwrite);
  FENSI_RETURN_IF_ERROR(file.status());
  VerifyReport report(index->get(), std::move(*file), FLAGS_json, SystemClock());
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
      "value (content_differs), and a cell that no source row gives (orphan). It writes nothing, and may run beside "
      "'fensi run' and any writer: a difference counts when two looks, one after the other, find it while the source "
      "row stands still. In between it waits --recheck_s, and until the index has followed, as its marks say: without "
      "marks ('fensi capture --mark_ms'), or where they stood still for two minutes, --recheck_s must be longer than "
      "'fensi "
      "run' takes. A row that changes whenever it is looked at is undecided. --start_row, --stop_row and --prefix "
      "choose source rows; where a cell does not tell its "
      "source row, only a comparison of all rows can judge it. --as_of leaves out, and counts, source rows and index "
      "cells "
      "that are younger: of a table that is written all the time it judges what stands still. Exit code 0: nothing "
      "differs; 1: something does; 2: "
      "some of it could not be compared. A report ends with a summary; one that does not is not whole.";
  command.flags = {{"store", true}, {"direction"},  {"start_row"},     {"stop_row"},         {"prefix"}, {"sample"},
                   {"as_of"},       {"recheck_s"},  {"max_suspects"},  {"rows_per_second"},  {"report"}, {"overwrite"},
                   {"json"},        {"meta_table"}, {"clock_skew_ms"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090", "both directions, all rows"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --report fensi.jsonl --rows_per_second 5000",
       "slowly, beside a daemon; one JSON object a line into a file"},
      {"fensi verify guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --sample 20",
       "20 random ranges of 1,000 rows of each table: a quick look"}};
  command.run = Verify;
  return command;
}

}  // namespace fensi::cli
