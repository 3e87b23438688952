// Prints cells as --format, --count, --max_cells and --bytes say.
//
// One thread. Blocks when the reader of the output is slow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/reading/cell_printer.h"

namespace fensi::cli {

class ShownCells {
 public:
  /// `raw`, `more`: as of CellPrinter. kInvalidArgument when flags contradict each other.
  static Result<ShownCells> ByFlags(bool raw, std::vector<std::string> more);
  /// In this form, to another sink than standard output.
  static ShownCells Into(CellForm form, CellPrinter::Sink sink);

  /// True if the next cell of this row is to be shown; otherwise it is counted or left out.
  bool Wants(std::string_view row);
  CellPrinter* printer() { return &printer_; }

  /// Call after the last cell: prints the number of rows for --count, and reports what the output does not show: that
  /// there was nothing, and how many cells were left out. `rows` may be an error.
  Status Finish(const Result<int64_t>& rows);

 private:
  ShownCells(const CellPrinter::Options& options, CellPrinter::Sink sink);

  CellPrinter printer_;
  std::string row_;
  int64_t cells_of_row_ = 0;
  int64_t left_out_ = 0;
};

}  // namespace fensi::cli
