#include "cli/reading/cell_form.h"

#include "cli/flags/flags.h"
#include "cli/program/output.h"
#include "operations/access/flag_faults.h"

namespace fensi::cli {

Result<CellForm> ChosenCellForm() {
  if (FLAGS_json && !FLAGS_format.empty() && FLAGS_format != "jsonl") {
    return operations::FlagsExclude("--json", "--format=" + FLAGS_format, "--json means --format=jsonl");
  }
  if (FLAGS_json || FLAGS_format == "jsonl") return CellForm::kJsonLines;
  if (FLAGS_format == "json") return CellForm::kJson;
  if (FLAGS_format == "table") return CellForm::kTable;
  if (FLAGS_format == "tsv") return CellForm::kTabs;
  if (FLAGS_format == "shell") return CellForm::kShell;
  return StdoutIsTerminal() ? CellForm::kTable : CellForm::kTabs;
}

}  // namespace fensi::cli
