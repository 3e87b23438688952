#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/reading/event_lines.h"
#include "consumer/codec/json_decoder.h"
#include "operations/access/flag_faults.h"
#include "operations/access/stores.h"
#include "operations/files/recorded_events.h"
#include "operations/mappings/mapping_files.h"
#include "operations/trial/explainer.h"

namespace fensi::cli {
namespace {

using mapping::Mapping;

/// The cells of a source row as one event, oldest first.
Result<ChangeEvent> ReadSourceRow(const std::string& table, const std::string& row) {
  const Result<std::unique_ptr<store::Store>> store =
      operations::OpenStoreToRead(operations::SourceOf(ReadStoreOptions()), table);
  if (!store.ok()) return store.status();
  store::GetRequest request;
  request.row = row;
  const auto rows = (*store)->Get(table, std::span(&request, 1));
  if (!rows.ok()) return rows.status();
  ChangeEvent event;
  event.table = table;
  event.row = row;
  event.cells = rows->front().cells;
  const auto older = [](const Cell& a, const Cell& b) { return a.timestamp < b.timestamp; };
  std::stable_sort(event.cells.begin(), event.cells.end(), older);
  if (event.cells.empty())
    return Status(StatusCode::kNotFound, "table " + table + " has no row '" + Escape(row) +
                                             "'. Correct --row. 'fensi scan " + table +
                                             " --store=URL --max_rows=10' prints the first rows of the table");
  return event;
}

Status ExplainFlag(operations::Explainer* explainer) {
  ChangeEvent event;
  FENSI_RETURN_IF_ERROR(consumer::JsonDecoder().Decode(FLAGS_event, &event).WithContext("--event"));
  return explainer->Explain(event);
}

Status ExplainStandardInput(operations::Explainer* explainer) {
  return ForEachEventLine([&](int64_t line, const Result<ChangeEvent>& event) {
    if (!event.ok()) return event.status().WithContext("line " + std::to_string(line));
    return explainer->Explain(*event);
  });
}

Status ExplainFiles(const std::string& source_table, operations::Explainer* explainer) {
  return operations::ForEachRecordedEvent(FLAGS_source, ReadCsvColumns(), source_table,
                                          [&](const ChangeEvent& event) -> Result<bool> {
                                            FENSI_RETURN_IF_ERROR(explainer->Explain(event));
                                            return true;
                                          });
}

/// A source of a flag file or of the environment is for many commands.
bool ReadsFiles() {
  return FlagIsTyped("source") || (FLAGS_source.starts_with("file:") && FLAGS_row.empty() && FLAGS_event.empty());
}

Status ExplainEvents(const std::string& source_table, operations::Explainer* explainer) {
  if (!FLAGS_event.empty()) return ExplainFlag(explainer);
  return ReadsFiles() ? ExplainFiles(source_table, explainer) : ExplainStandardInput(explainer);
}

Status CheckExplainFlags() {
  if (int{!FLAGS_row.empty()} + int{!FLAGS_event.empty()} + int{ReadsFiles()} > 1) {
    return InvalidArgument("--row, --event and --source exclude each other: give one of them");
  }
  return !ReadsFiles() && FlagIsTyped("csv_row") ? operations::FlagRequires("--csv_row", "--source=file:PATH")
                                                 : operations::CheckCsv(ReadCsvColumns());
}

Result<int> Explain(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckExplainFlags());
  if (FLAGS_row.empty() ? FlagIsTyped("store") : FLAGS_store.empty()) {
    return operations::FlagsTogether("--row", "--store");
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<Mapping> mappings, operations::LoadMappings(arguments, FLAGS_meta_table));
  FENSI_ASSIGN_OR_RETURN(const operations::Indexes indexes,
                         operations::ChosenIndexes(mappings, SplitList(FLAGS_index)));
  operations::Explainer explainer;
  for (const auto& index : indexes) FENSI_RETURN_IF_ERROR(explainer.AddIndex(index));
  if (FLAGS_row.empty()) {
    FENSI_RETURN_IF_ERROR(ExplainEvents(mappings.front().source_table, &explainer));
    return kExitDone;
  }
  FENSI_ASSIGN_OR_RETURN(const ChangeEvent event, ReadSourceRow(mappings.front().source_table, *Unescape(FLAGS_row)));
  FENSI_RETURN_IF_ERROR(explainer.Explain(event));
  return kExitDone;
}

}  // namespace

Command ExplainCommand() {
  Command command;
  command.name = "explain";
  command.summary = "show how events or a source row change the indexes";
  command.arguments = "MAPPING";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Applies events to empty indexes in memory, with the same code as 'fensi run'. The events come from --event, "
      "from --source=file:PATH, or from standard input (JSON lines). With --row and --store, the command explains "
      "the present cells of a source row. The command writes nothing.\n\n"
      "For each event, the command prints the indexes that read cells of the event. For every other index, the "
      "command prints why the index ignores the event. For an index that reads the event, the command prints the "
      "steps of each template, and the puts and deletes in their order.";
  command.flags = FlagUses("event source csv_row csv_time csv_family index row store source_store connect_timeout_s");
  SetMeaning(&command, "source",
             "files with events: file:PATH[,PATH] or file:- (standard input). A file has one JSON event per "
             "line. With --csv_row, a file has CSV. A PATH may be a pattern such as 'days/*.gz'");
  command.examples = {
      {"fensi explain guanzhu.yaml --event "
       "'{\"table\":\"guanzhu\",\"row\":\"a\",\"seq\":1,\"cells\":[{\"type\":\"put\",\"column\":\"f1:from\","
       "\"ts\":1,\"value\":\"b\"}]}'",
       "explains one event"},
      {"fensi explain guanzhu.yaml --source file:events.jsonl.gz", "explains every event of a file"},
      {"fensi explain guanzhu.yaml --row a --store hbase://127.0.0.1:2181/hbase",
       "shows the entries that row a of the source table must have"}};
  command.run = Explain;
  return command;
}

}  // namespace fensi::cli
