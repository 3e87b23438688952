// The form in which commands that read show cells, as --format, --json and the terminal say.
#pragma once

#include "base/status.h"
#include "cli/reading/cell_printer.h"

namespace fensi::cli {

/// A table for a terminal and lines with tabs for a pipe, unless a flag says otherwise. kInvalidArgument when --json
/// and --format contradict each other.
Result<CellForm> ChosenCellForm();

}  // namespace fensi::cli
