#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/cell.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/daemon_options.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "daemon/sources/sources.h"
#include "indexer/index_meta.h"
#include "operations/access/flag_faults.h"
#include "operations/access/stores.h"
#include "operations/access/telling_store.h"
#include "operations/jobs/signals.h"
#include "operations/jobs/stop_limit.h"
#include "operations/jobs/unless_stopped.h"
#include "operations/mappings/mapping_files.h"
#include "operations/repair/repair_run.h"
#include "operations/tables/taken_names.h"

namespace fensi::cli {
namespace {

using mapping::Index;

// Regions move and gateways start again; longer than that is no passing trouble.
constexpr std::chrono::minutes kGiveUp{2};

bool Embedded() { return operations::StoreIsEmbedded(FLAGS_store); }

Status CheckWays(const Arguments& arguments) {
  const bool rows = arguments.size() > 2;
  const int ways = (rows ? 1 : 0) + (FLAGS_from_report.empty() ? 0 : 1) + (FLAGS_verify_first ? 1 : 0);
  if (ways != 1) {
    return Status(StatusCode::kInvalidArgument,
                  "give exactly one of --from_report=FILE, --verify_first, or source rows after INDEX");
  }
  if (FLAGS_partial_report && FLAGS_from_report.empty()) {
    return operations::FlagRequires("--partial_report", "--from_report");
  }
  if (Embedded() && !FLAGS_source.empty()) {
    return operations::FlagsExclude("--source", "an embedded store", "this process applies the repair itself");
  }
  if (!Embedded() && !ReadSourceOptions().is_kafka()) {
    return Status(
        StatusCode::kInvalidArgument,
        "--source=kafka://HOST:PORT is missing: give the --source with which 'fensi run' of this index was started. "
        "fensi sends requests to the daemons through Kafka");
  }
  return Status();
}

Result<std::vector<std::string>> NamedRows(const Arguments& arguments) {
  std::vector<std::string> rows;
  for (size_t i = 2; i < arguments.size(); ++i) {
    Result<std::string> row = Unescape(arguments[i]);
    if (!row.ok()) return row.status().WithContext("row " + arguments[i]);
    if (row->empty() || row->size() > kMaxRowBytes) {
      return Status(StatusCode::kInvalidArgument, "source row '" + EscapeSome(*row, 40) + "' has " +
                                                      std::to_string(row->size()) + " bytes: give a ROW of 1 to " +
                                                      std::to_string(kMaxRowBytes) + " bytes");
    }
    rows.push_back(std::move(*row));
  }
  return rows;
}

Result<std::shared_ptr<store::Store>> OpenAllTables(const Index& index) {
  const operations::StoreOptions options = operations::WithSource(ReadStoreOptions(), {index.source_table()});
  Result<std::unique_ptr<store::Store>> store =
      FLAGS_execute ? operations::OpenStoreToWrite(options) : operations::OpenStoreToReadAny(options);
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_RETURN_IF_ERROR(operations::RequireOwnName(index, store->get(), FLAGS_meta_table));
  for (const std::string& table : {index.source_table(), index.state_table()}) {
    FENSI_RETURN_IF_ERROR(operations::RequireTable(options, store->get(), table).status());
  }
  if (!index.table_is_template())
    FENSI_RETURN_IF_ERROR(operations::RequireTable(options, store->get(), index.table()).status());
  FENSI_RETURN_IF_ERROR(indexer::IndexMeta(&index, store->get()).CheckSourceStore());
  auto telling =
      std::make_unique<operations::TellingStore>(std::move(*store), operations::TellingStore::Options{"repair", Say});
  return std::shared_ptr<store::Store>(operations::WaitingStore(std::move(telling), kGiveUp));
}

Result<int> OpenAndRun(const std::shared_ptr<const Index>& index, const Arguments& arguments) {
  operations::RepairRunOptions options{.store = ReadStoreOptions(),
                                       .kafka = ReadSourceKafkaOptions(),
                                       .marks = ReadMarkOptions(),
                                       .execute = FLAGS_execute,
                                       .report = FLAGS_from_report,
                                       .partial_report = FLAGS_partial_report,
                                       .direct = FLAGS_verify_first,
                                       .read_rows_per_second = FLAGS_rows_per_second,
                                       .wait = std::chrono::seconds(FLAGS_wait_s),
                                       .recheck = std::chrono::seconds(FLAGS_recheck_s)};
  FENSI_ASSIGN_OR_RETURN(options.rows, NamedRows(arguments));
  if (FlagIsGiven("rows_per_second")) options.asked_rows_per_second = FLAGS_rows_per_second;
  daemon::DeadLetterSinks letters(ReadSourceOptions());
  options.letters = [&letters](const Index& of) { return letters.For(of); };
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<store::Store> store, OpenAllTables(*index));
  return operations::RepairRun(index, store, std::move(options)).Run();
}

Result<int> RunRepair(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckWays(arguments));
  FENSI_RETURN_IF_ERROR(NamedRows(arguments).status());
  const auto index = operations::LoadIndex(arguments[0], arguments[1], FLAGS_meta_table);
  FENSI_RETURN_IF_ERROR(index.status());
  operations::BlockStopSignals();
  const operations::StopLimit limit(
      "repair", arguments[1],
      "If a line above says 'waits for table', that table did not answer. To continue, run the same command again");
  return operations::UnlessStopped([&] { return OpenAndRun(*index, arguments); },
                                   Embedded() ? "repair: stopped; run the same command again to continue"
                                              : "repair: stopped; the daemons still apply the requests that were sent. "
                                                "Run the same command again to continue");
}

}  // namespace

Command RepairCommand() {
  Command command;
  command.name = "repair";
  command.summary = "correct the rows of an index that differ from the source";
  command.arguments = "MAPPING INDEX [ROW…]";
  command.min_arguments = 2;
  command.max_arguments = kAnyNumber;
  command.description =
      "Corrects rows of an index from their source rows. Choose the rows by --from_report (a report of 'fensi "
      "verify'), by --verify_first (a new comparison), or by their row keys. In a row key, write a byte as \\xNN. "
      "Before fensi corrects a row, fensi checks the row again.\n\n"
      "Without --execute, the command shows the rows that it would correct. With --execute, the command sends a "
      "request for each row to the daemon that owns the row. The daemon reads the row from the source, puts the "
      "entries that the index should have, and removes the other entries of the row. The command waits up to "
      "--wait_s for the daemons. Then the command checks each row again, and names each difference that is left. "
      "Other programs may write during a repair, and a second repair does no harm. For an embedded store, the "
      "command itself corrects the rows.\n\n"
      "Exit code 0: no difference is left. Exit code 1: a difference is left. Exit code 2: the daemons did not "
      "finish within --wait_s, so the result is unknown.";
  command.flags = FlagUses(
      "store! source_store source from_report partial_report verify_first execute wait_s rows_per_second recheck_s "
      "dead_letters kafka_property kafka_property_file meta_table clock_skew_ms connect_timeout_s");
  SetMeaning(&command, "source",
             "address of the topics: kafka://HOST:PORT[,HOST:PORT]. With --store=embedded:DIR, the flag is not "
             "required");
  SetMeaning(&command, "rows_per_second",
             "largest number of rows to request per second. With --verify_first, also the largest number of "
             "rows to read per second (default: 1000 to request, no limit to read). 0: no limit");
  command.examples = {
      {"fensi repair guanzhu.yaml fensi --from_report fensi.jsonl --source kafka://127.0.0.1:9092 --store "
       "hbase://127.0.0.1:2181/hbase",
       "shows the rows that fensi would repair by the report fensi.jsonl of 'fensi verify'"},
      {"fensi repair guanzhu.yaml fensi --verify_first --source kafka://127.0.0.1:9092 --store "
       "hbase://127.0.0.1:2181/hbase "
       "--execute",
       "compares the index with its source, repairs the differences, and checks the repaired rows again"},
      {"fensi repair guanzhu.yaml fensi a b --store embedded:data --execute",
       "repairs the source rows a and b of an embedded store"}};
  command.run = RunRepair;
  return command;
}

}  // namespace fensi::cli
