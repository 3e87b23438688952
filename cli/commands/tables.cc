#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "cli/reading/aligned_lines.h"
#include "cli/reading/cell_form.h"
#include "operations/access/stores.h"
#include "operations/tables/found_table.h"

namespace fensi::cli {
namespace {

/// Table, number of regions, families.
AlignedLines::Fields FieldsOf(const operations::FoundTable& found) {
  std::string families;
  for (const store::FamilyDescriptor& family : found.table.families) {
    families += (families.empty() ? "" : ",") + family.name;
  }
  return {found.table.name, std::to_string(found.region_starts.size()), families};
}

/// Prints tables one after the other, in the chosen form.
class TableLines {
 public:
  explicit TableLines(CellForm form) : form_(form) {}

  void Add(const operations::FoundTable& found) {
    if (form_ == CellForm::kTable) return lines_.Add(FieldsOf(found));
    if (form_ == CellForm::kShell) return Print(operations::ShellLinesOf(found));
    if (form_ == CellForm::kJsonLines) return Print(operations::JsonOf(found));
    if (form_ == CellForm::kJson) return AddToArray(operations::JsonOf(found));
    const AlignedLines::Fields fields = FieldsOf(found);
    Print(fields[0] + "\t" + fields[1] + "\t" + fields[2] + "\n");
  }
  void Finish() {
    lines_.Finish();
    if (form_ == CellForm::kJson) Print(any_ ? "\n]\n" : "[]\n");
  }

 private:
  void AddToArray(const std::string& line) {
    Print((any_ ? ",\n" : "[\n") + line.substr(0, line.size() - 1));
    any_ = true;
  }

  const CellForm form_;
  AlignedLines lines_{{"TABLE", "REGIONS", "FAMILIES"}, Print};
  bool any_ = false;
};

Result<int> Tables(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const CellForm form, ChosenCellForm());
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, operations::OpenStoreToReadAny(ReadStoreOptions()));
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> names, store->TableNames());
  TableLines lines(form);
  int64_t shown = 0;
  for (const std::string& name : names) {
    if (!arguments.empty() && !name.starts_with(arguments[0])) continue;
    const Result<operations::FoundTable> found = operations::LookUpTable(ReadStoreOptions(), store.get(), name);
    if (found.status().code() == StatusCode::kNotFound) continue;  // somebody dropped it
    FENSI_RETURN_IF_ERROR(found.status());
    lines.Add(*found);
    ++shown;
  }
  lines.Finish();
  if (shown == 0) Say("0 tables");
  return kExitDone;
}

}  // namespace

Command TablesCommand() {
  Command command;
  command.name = "tables";
  command.summary = "list the tables of a store";
  command.arguments = "[BEGINNING]";
  command.max_arguments = 1;
  command.description =
      "Lists the tables whose names begin with BEGINNING. For each table, the command prints the number of regions, "
      "and the families. fensi leaves out HBase's own tables. With --format=shell, the command prints HBase shell "
      "commands that create empty tables with the same families and regions. For details of a table, use 'fensi "
      "describe'.";
  command.flags = FlagUses("store! format json connect_timeout_s");
  SetMeaning(&command, "format",
             "output format: 'table' (aligned, with a heading), 'tsv' (fields separated by tabs), 'json' (one "
             "array), 'jsonl' (one JSON object per line) or 'shell' (HBase shell lines that create the "
             "tables). Without this flag, the format is 'table' on a terminal and 'tsv' in a pipe");
  command.examples = {
      {"fensi tables --store embedded:data", "lists all tables"},
      {"fensi tables fensi --store hbase://127.0.0.1:2181/hbase", "lists the tables whose names begin with fensi"},
      {"fensi tables shop: --store hbase://127.0.0.1:2181/hbase --format shell",
       "prints HBase shell lines that create the tables of the namespace shop in another cluster"}};
  command.run = Tables;
  return command;
}

}  // namespace fensi::cli
