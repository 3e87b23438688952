#include "operations/forecast/forecast.h"

#include <vector>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"

namespace fensi::cli {
namespace {

Result<operations::ForecastRunOptions> ReadForecastOptions() {
  constexpr size_t kRows = 1000;  // without --sample
  if (FLAGS_store.empty())
    return InvalidArgument(
        "--store is missing: give the store of the source table, such as --store=hbase://HOST:2181/hbase");
  if (!FLAGS_format.empty() && FLAGS_format != "json") {
    return InvalidArgument("--format must be json, and is " + FLAGS_format + ": leave out --format for text");
  }
  operations::ForecastRunOptions options{
      .store = ReadStoreOptions(), .compare = FLAGS_compare, .json = FLAGS_format == "json"};
  options.forecast.sample.rows = FlagIsGiven("sample") ? static_cast<size_t>(FLAGS_sample) : kRows;
  options.forecast.sample.table_rows = FLAGS_table_rows;
  options.forecast.scan_rate = static_cast<double>(FLAGS_scan_rate);
  options.forecast.write_rate = static_cast<double>(FLAGS_write_rate);
  return options;
}

Result<int> RunCommandLine(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const operations::ForecastRunOptions options, ReadForecastOptions());
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings({arguments[0]}, FLAGS_meta_table));
  const std::vector<std::string> names =
      arguments.size() > 1 ? std::vector<std::string>{arguments[1]} : std::vector<std::string>();
  FENSI_ASSIGN_OR_RETURN(const operations::Indexes indexes, operations::ChosenIndexes(mappings, names));
  FENSI_RETURN_IF_ERROR(operations::RunForecast(indexes, options));
  return kExitDone;
}

}  // namespace

Command ForecastCommand() {
  Command command;
  command.name = "forecast";
  command.summary = "forecast the size, the writes and the hot keys of an index";
  command.arguments = "MAPPING [INDEX]";
  command.min_arguments = 1;
  command.max_arguments = 2;
  command.description =
      "Reads a sample of the source table, and prints a forecast for the index. fensi applies the sample to the "
      "index in memory, with the same code as 'fensi run'. The forecast gives the number of entries, the size of the "
      "index table and the state table, and the writes per change. The forecast also gives the hottest keys, the "
      "growth per day, and the duration of a backfill. For each planned region and each salt (a prefix that "
      "distributes the keys), the forecast gives the share of the entries. The command also recommends regions, "
      "salts, mode and memory. The command writes nothing.\n\n"
      "fensi prints an interval for each figure. In 95 of 100 samples, the interval contains the true figure. The "
      "upper limit of the share of a key, or of 'any other key', is true with 95 % certainty. If a table is small, "
      "fensi counts all row keys. With --store=hbase://…, fensi estimates the number of rows of a large table from "
      "the sizes of the regions. With a gateway, give --table_rows if the table has more than a million rows.\n\n"
      "To check a forecast, use --compare after the backfill of the index. With --compare, the command reads the "
      "whole tables of the index, and prints the real figures beside the forecast.";
  command.flags =
      FlagUses("store source_store sample table_rows scan_rate write_rate compare format meta_table connect_timeout_s");
  SetMeaning(&command, "format", "output format. With 'json', the command prints JSON for programs (default: text)");
  SetMeaning(&command, "sample", "number of rows in the sample. The rows are spread over the regions of the table",
             "1000");
  command.examples = {
      {"fensi forecast guanzhu.yaml --store hbase://127.0.0.1:2181/hbase", "forecasts all indexes of a file"},
      {"fensi forecast guanzhu.yaml guanzhu-by-from --store hbase://127.0.0.1:2181/hbase --sample 5000 "
       "--scan_rate 20000 --write_rate 30000",
       "forecasts one index. The forecast of the backfill uses the given rates"},
      {"fensi forecast guanzhu.yaml --store hbase://127.0.0.1:2181/hbase --compare",
       "after the backfill, compares the forecast with the tables"}};
  command.run = RunCommandLine;
  return command;
}

}  // namespace fensi::cli
