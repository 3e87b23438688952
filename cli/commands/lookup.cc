#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "cli/reading/answer.h"
#include "cli/reading/answer_watch.h"
#include "cli/reading/pager.h"
#include "cli/reading/shown_cells.h"
#include "operations/access/flag_faults.h"
#include "operations/alias/alias.h"
#include "operations/lookup/index_reader.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

Status CheckAnswerFlags() {
  FENSI_RETURN_IF_ERROR(ShownCells::ByFlags(false, {}).status());
  if (FLAGS_source_rows && FLAGS_count) return InvalidArgument("--count prints only a number: leave out --source_rows");
  if (FlagIsTyped("interval_s") && !FLAGS_watch) {
    return operations::FlagRequires("--interval_s", "--watch");
  }
  if (FLAGS_near.empty() != FLAGS_radius.empty()) {
    return FLAGS_near.empty() ? operations::FlagRequires("--radius", "--near")
                              : operations::FlagRequires("--near", "--radius");
  }
  if (!FLAGS_near.empty() && !FLAGS_box.empty()) return operations::FlagsExclude("--near", "--box");
  if (!FLAGS_watch) return {};
  if (FLAGS_count) return InvalidArgument("--watch prints entries, and no number: leave out --count");
  if (!FLAGS_format.empty() && FLAGS_format != "tsv" && FLAGS_format != "jsonl") {
    return InvalidArgument("--watch cannot print --format=" + FLAGS_format +
                           ", only one line for each change: give --format=tsv or --format=jsonl");
  }
  return {};
}

Result<int> ShowOnce(const std::string& index, Answer* answer, store::Store* store) {
  FENSI_ASSIGN_OR_RETURN(ShownCells cells, ShownCells::ByFlags(false, answer->MoreColumns()));
  Pager pager(!FLAGS_no_pager && !FLAGS_count);
  const auto heard = store->Guarded(FinishOutput);  // who reads the pipe may go long before the last row
  const Result<int64_t> rows = answer->Read(heard.get(), &cells);
  const Status shown = cells.Finish(rows);
  if (rows.ok() && *rows == 0) operations::TellOfDays({.parts = {}, .from = FLAGS_from, .to = FLAGS_to});
  const Result<int> outcome = pager.End(shown.ok() ? Result<int>(kExitDone) : shown);
  if (outcome.ok() && answer->stale() > 0) {
    Say("index " + index + ": " + WithCommas(answer->stale()) +
        (answer->stale() == 1 ? " entry is STALE: its source row does not give the entry"
                              : " entries are STALE: their source rows do not give the entries") +
        ". Repeat the lookup after a moment. If STALE entries remain, run 'fensi verify MAPPING " + index +
        " --store=URL'");
  }
  return outcome;
}

/// Runs without end: nothing is in flight for which a signal would have to wait.
Result<int> ShowChanges(Answer* answer, const mapping::Index& index, std::unique_ptr<store::Store> store) {
  const bool json = FLAGS_json || FLAGS_format == "jsonl";
  AnswerWatch watch(json);
  while (true) {
    ShownCells cells = ShownCells::Into(json ? CellForm::kJsonLines : CellForm::kTabs,
                                        [&watch](std::string_view line) { watch.Add(line); });
    const auto wanted = watch.WhileWanted(store.get());
    FENSI_RETURN_IF_ERROR(answer->Read(wanted.get(), &cells).status());
    FENSI_RETURN_IF_ERROR(watch.Show());
    SystemClock()->Sleep(std::chrono::seconds(FLAGS_interval_s));
    if (!operations::StoreIsEmbedded(FLAGS_store)) continue;
    // One that is open shows what it had then.
    FENSI_ASSIGN_OR_RETURN(store, operations::OpenTablesToLookUp(index, ReadStoreOptions(), FLAGS_source_rows));
  }
}

Result<int> Lookup(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckAnswerFlags());
  std::error_code ignored;
  if (arguments[0].starts_with('@') && !std::filesystem::exists(arguments[0], ignored)) {
    return InvalidArgument("'" + arguments[0] + "' is in the place of the mapping file: write 'fensi lookup MAPPING " +
                           arguments[0] + " PART…'");
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings({arguments[0]}, FLAGS_meta_table));
  FENSI_ASSIGN_OR_RETURN(const std::shared_ptr<const mapping::Index> index,
                         operations::NamedIndex(mappings, arguments[1], ReadStoreOptions()));
  FENSI_ASSIGN_OR_RETURN(
      const operations::IndexReader reader,
      operations::PlanTypedLookup(
          *index,
          {{arguments.begin() + 2, arguments.end()}, FLAGS_from, FLAGS_to, FLAGS_near, FLAGS_radius, FLAGS_box}));
  if (reader.whole_cells()) {
    Say("index " + index->name() +
        " does not hold the exact position of each entry. Entries without an exact position are shown if their geohash "
        "cell touches the area, so some of these entries may be outside of the area. For an exact answer, add a column "
        "to the index that has the position as in the source");
  }
  if (FLAGS_print_scan) {
    Print(reader.ShellCommands());
    return kExitDone;
  }
  if (FLAGS_store.empty()) {
    return InvalidArgument(
        "--store is missing: give the store of the index, or --print_scan to print the scan without a store");
  }
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store,
                         operations::OpenTablesToLookUp(*index, ReadStoreOptions(), FLAGS_source_rows));
  operations::WarnOfOtherDefinition(*index, store.get());
  Answer answer(*index, reader, {FLAGS_source_rows, FLAGS_max_rows, FLAGS_max_cells});
  return FLAGS_watch ? ShowChanges(&answer, *index, std::move(store)) : ShowOnce(index->name(), &answer, store.get());
}

}  // namespace

Command LookupCommand() {
  Command command;
  command.name = "lookup";
  command.summary = "read an index as an application would";
  command.arguments = "MAPPING INDEX|@ALIAS PART…";
  command.min_arguments = 2;
  command.max_arguments = kAnyNumber;
  command.description =
      "Reads the entries of an index by the parts of its row key. Give the parts in the order in which the row "
      "template first uses them. You can leave out the last parts. 'fensi check' shows the parts of an index. You "
      "can write a byte as \\xNN. If the source stores a number in binary form (such as {f:price|i64}), write the "
      "number in digits. fensi also shows a binary number in digits.\n\n"
      "--from (inclusive) and --to (exclusive) limit the first part that you leave out. --from and --to take "
      "numbers, or times such as 2016-12-19, 2016-12-19T08:00+08:00, 'now' or '-1d' (a day ago). If an index has a "
      "table for each day or month ('retention:' in the mapping file), --from and --to choose the tables by the time "
      "in their names. If the index knows only a unit of a time, such as the hour, the lookup shows all entries of "
      "the unit. If the row keys do not show which entries are within the limits, fensi refuses the lookup.\n\n"
      "If the first part that you leave out is a geohash, you can give an area (--near with --radius, or --box). "
      "fensi covers the area with at most 32 key ranges. If the row keys have a salt (a prefix that distributes keys "
      "over regions), fensi reads at most 32 key ranges for each salt. The lookup shows the entries whose position "
      "is in the area. If the index has no exact position of an entry, the lookup shows the entry when its geohash "
      "cell touches the area. The lookup also prints a note about entries without an exact position. Distances "
      "follow great circles of a sphere with a radius of 6,371,008.8 m.\n\n"
      "The output has the row, column, timestamp and value of each entry, and the parts of the key that fensi can "
      "decode. If other values of a part give the same key, fensi cannot decode the part exactly. A '~' (\"inexact\" "
      "in JSON) marks a part that fensi cannot decode exactly.\n\n"
      "@ALIAS stands for the index to which the alias points ('fensi switch'). With --source_rows, fensi also reads "
      "the source row of each entry. If the source row does not give the entry, fensi marks the entry as STALE. A "
      "STALE entry shows that the index lags or is wrong. With --watch, the command repeats the lookup until Ctrl-C, "
      "and prints new (+) and removed (-) entries. With --watch, fensi refuses an answer of more than 100,000 cells "
      "or 64 MiB. On a terminal, fensi shows a long answer with $PAGER (a shell command) or with the program 'less'.";
  command.flags = FlagUses(
      "store source_store from to near radius box print_scan format bytes json max_cells count max_rows meta_table "
      "connect_timeout_s "
      "source_rows watch interval_s no_pager");
  SetMeaning(&command, "from",
             "lowest value (inclusive) of the first part that you leave out: a number, or a time such as "
             "2016-12-20");
  SetMeaning(&command, "to",
             "upper limit (exclusive) of the first part that you leave out: a number, or a time such as "
             "2016-12-20");
  SetMeaning(&command, "watch", "repeat the lookup until Ctrl-C, and print the entries that were added or removed");
  SetMeaning(&command, "count", "print only the number of index rows");
  command.examples = {{"fensi lookup guanzhu.yaml fensi b --store embedded:data", "shows who follows b"},
                      {"fensi lookup orders.yaml orders-by-seller s900 --from 2016-12-19 --to 2016-12-20 --store "
                       "hbase://127.0.0.1:2181/hbase",
                       "shows the orders of the seller s900 on one day"},
                      {"fensi lookup guanzhu.yaml fensi b --count --store embedded:data",
                       "prints 1 if the index has a row for b, and 0 if the index has no row for b"},
                      {"fensi lookup guanzhu.yaml fensi b --source_rows --store hbase://127.0.0.1:2181/hbase",
                       "shows who follows b, with the present source row of each follower"},
                      {"fensi lookup guanzhu.yaml fensi b --watch --store hbase://127.0.0.1:2181/hbase",
                       "shows new and removed followers of b until Ctrl-C"},
                      {"fensi lookup guanzhu.yaml @fans b --store hbase://127.0.0.1:2181/hbase",
                       "reads the index to which the alias fans points"},
                      {"fensi lookup orders.yaml orders-by-seller s900 --print_scan",
                       "prints HBase shell commands that read the same entries"}};
  command.run = Lookup;
  return command;
}

}  // namespace fensi::cli
