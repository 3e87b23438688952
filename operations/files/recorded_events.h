// Reads the change events of recorded files, JSON lines or CSV, for commands that only inspect them. Blocks on the
// files; one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/file/csv.h"

namespace fensi::operations {

/// The meaning of CSV columns, bytes as fensi writes them; without `row` files are JSON lines.
struct CsvColumns {
  std::string row, time, family;
};

/// CSV options for rows of `table`; absent: the files are JSON lines.
std::optional<consumer::CsvOptions> CsvOf(const CsvColumns& columns, const std::string& table);
/// kInvalidArgument: columns are given without the row column.
Status CheckCsv(const CsvColumns& columns);

/// Calls `use` for each event of the files that `source` names, in order, until it returns false or an error.
/// kInvalidArgument: a line is no event (with file and line), or `source` names no files. `csv_table`: table of CSV
/// rows.
Status ForEachRecordedEvent(const std::string& source, const CsvColumns& columns, const std::string& csv_table,
                            const std::function<Result<bool>(ChangeEvent event)>& use);

}  // namespace fensi::operations
