#include "cli/reading/shown_cells.h"

#include <utility>

#include "base/text.h"
#include "cli/flags/flags.h"
#include "cli/program/output.h"
#include "cli/reading/cell_form.h"

namespace fensi::cli {

ShownCells::ShownCells(const CellPrinter::Options& options, CellPrinter::Sink sink)
    : printer_(options, std::move(sink)) {}

ShownCells ShownCells::Into(CellForm form, CellPrinter::Sink sink) {
  return ShownCells({.form = form, .bytes = FLAGS_bytes}, std::move(sink));
}

Result<ShownCells> ShownCells::ByFlags(bool raw, std::vector<std::string> more) {
  FENSI_ASSIGN_OR_RETURN(const CellForm form, ChosenCellForm());
  if (FLAGS_count && (FLAGS_json || !FLAGS_format.empty() || FLAGS_max_cells > 0)) {
    return Status(StatusCode::kInvalidArgument,
                  "--count prints only a number: leave out --format, --json and --max_cells");
  }
  return ShownCells({.form = form, .raw = raw, .bytes = FLAGS_bytes, .more = std::move(more)}, Print);
}

bool ShownCells::Wants(std::string_view row) {
  if (FLAGS_count) return false;
  if (row != row_) {
    row_ = row;
    cells_of_row_ = 0;
  }
  if (FLAGS_max_cells == 0 || ++cells_of_row_ <= FLAGS_max_cells) return true;
  ++left_out_;
  return false;
}

Status ShownCells::Finish(const Result<int64_t>& rows) {
  FENSI_RETURN_IF_ERROR(rows.status());
  if (FLAGS_count) {
    Print(std::to_string(*rows) + "\n");
    return {};
  }
  printer_.Finish();
  if (*rows == 0) Say("0 rows");
  if (left_out_ > 0) Say(Counted(left_out_, "cell") + " left out by --max_cells=" + std::to_string(FLAGS_max_cells));
  return {};
}

}  // namespace fensi::cli
