// The change events of recorded files, for commands that look at them and do not run: JSON lines, or CSV as --csv_row
// says. Blocks on the files; one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/file/csv_header.h"

namespace fensi::cli {

/// What the flags say of CSV, whose rows are of `table`; nothing: the files are JSON lines.
std::optional<consumer::CsvOptions> CsvOfFlags(const std::string& table);
/// kInvalidArgument: a flag of CSV without --csv_row.
Status CheckCsvFlags();

/// Calls `use` for each event of the files that --source names, in their order, until it answers false or an error.
/// kInvalidArgument: a line is no event (with file and line), or --source names no files. `csv_table`: of CSV.
Status ForEachRecordedEvent(const std::string& csv_table, const std::function<Result<bool>(ChangeEvent event)>& use);

}  // namespace fensi::cli
