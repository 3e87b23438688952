#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "cli/reading/cell_text.h"
#include "cli/reading/pager.h"
#include "cli/reading/shown_cells.h"
#include "operations/access/flag_faults.h"
#include "operations/access/row_pages.h"
#include "operations/access/stores.h"

namespace fensi::cli {
namespace {

// With --raw every version that is still there is shown; the store keeps fewer.
constexpr int32_t kAllVersions = 1000000;

void ShowRow(const std::string& table, const store::Row& row, ShownCells* cells) {
  for (const Cell& cell : row.cells) {
    if (!cells->Wants(row.row)) continue;
    if (!cells->printer()->takes_json()) {
      cells->printer()->Add(table, row.row, cell);
      continue;
    }
    std::string line;
    AppendCellJson(row.row, cell, FLAGS_raw, &line);
    cells->printer()->AddJson(line);
  }
}

Result<store::ScanRequest> AskedRows() {
  const bool bounded = !FLAGS_start_row.empty() || !FLAGS_stop_row.empty();
  FENSI_RETURN_IF_ERROR(operations::CheckRowFlags(FLAGS_prefix, FLAGS_start_row, FLAGS_stop_row));
  store::ScanRequest request = operations::PrefixScan(*Unescape(FLAGS_prefix));
  if (!bounded) return request;
  request.start_row = *Unescape(FLAGS_start_row);
  request.stop_row = *Unescape(FLAGS_stop_row);
  return request;
}

Result<int> Scan(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const std::string table, ParseTableName(arguments[0]));
  FENSI_ASSIGN_OR_RETURN(ShownCells cells, ShownCells::ByFlags(FLAGS_raw, {}));
  const Result<std::unique_ptr<store::Store>> store = operations::OpenStoreToRead(ReadStoreOptions(), table);
  if (!store.ok()) return store.status();
  FENSI_ASSIGN_OR_RETURN(const store::ScanRequest asked, AskedRows());
  store::ScanRequest request = asked;
  request.raw = FLAGS_raw;
  if (FLAGS_raw) request.max_versions = kAllVersions;
  Pager pager(!FLAGS_no_pager && !FLAGS_count);
  const auto heard = (*store)->Guarded(FinishOutput);  // a table has no end that a reader of the pipe must await
  const Result<int64_t> rows = operations::ForEachRow(heard.get(), table, request, FLAGS_max_rows,
                                                      [&](const store::Row& row) { ShowRow(table, row, &cells); });
  const Status shown = cells.Finish(rows);
  return pager.End(shown.ok() ? Result<int>(kExitDone) : shown);
}

}  // namespace

Command ScanCommand() {
  Command command;
  command.name = "scan";
  command.summary = "print the cells of any table of a store";
  command.arguments = "TABLE";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Prints the cells of a table, one cell per line. Each line has row, column, timestamp and value. --format "
      "chooses another form of the output. fensi prints UTF-8 text as it is. fensi prints a backslash, and each byte "
      "that is not text, as \\xNN. Every command accepts bytes in the form \\xNN.";
  command.flags = FlagUses(
      "store! prefix start_row stop_row raw format bytes json max_cells count max_rows connect_timeout_s "
      "no_pager");
  SetMeaning(&command, "start_row", "first row (inclusive; \\xNN for bytes)");
  SetMeaning(&command, "stop_row", "row at which to stop (exclusive; \\xNN for bytes)");
  command.examples = {
      {"fensi scan fensi --store embedded:data --prefix b", "prints the cells of rows whose keys begin with b"},
      {"fensi scan fensi --store hbase://127.0.0.1:2181/hbase --start_row m --stop_row n",
       "prints the rows from m (inclusive) to n (exclusive)"},
      {"fensi scan fensi --store hbase://127.0.0.1:2181/hbase --format shell > fensi.rb",
       "writes puts into a file. 'hbase shell fensi.rb' then writes the cells to another HBase"},
      {"fensi scan fensi_state --store hbase://127.0.0.1:2181/hbase --raw --json --max_rows 5",
       "prints the first 5 rows of a state table as JSON, with delete markers"}};
  command.run = Scan;
  return command;
}

}  // namespace fensi::cli
