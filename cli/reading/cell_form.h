// Chooses the form in which commands show cells, by --format, --json and the terminal.
#pragma once

#include "base/status.h"
#include "cli/reading/cell_printer.h"

namespace fensi::cli {

/// A table for a terminal and lines with tabs for a pipe, unless a flag sets another form. kInvalidArgument if --json
/// and --format contradict each other.
Result<CellForm> ChosenCellForm();

}  // namespace fensi::cli
