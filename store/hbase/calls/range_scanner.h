// Reads a range of rows in answers of bounded size: fewer rows at once if they are wide, and in pieces a row that is
// too wide for one answer. A row that is read in several calls is not read at one moment. Blocks; used by one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/asked_columns.h"
#include "store/hbase/calls/row_getter.h"
#include "store/hbase/wire/connection.h"
#include "store/store.h"

namespace fensi::store {

class RangeScanner {
 public:
  /// All arguments must outlive it.
  RangeScanner(Connection& connection, const std::string& table, const ScanRequest& request, const ReadLimits& limits);

  Status Read(std::vector<Row>* rows);

 private:
  /// The result of one call.
  struct Answer {
    std::vector<Row> rows;    // all pieces of a row joined
    bool ends = false;        // the range is finished
    bool breaks_off = false;  // the last row may have more columns
  };
  Result<Answer> Ask(size_t pieces);
  /// Reduces the next request; false if one answer cannot be smaller.
  bool AskForLess(size_t pieces);
  /// Removes the last column if it may be incomplete, and moves the request forward.
  void GoOn(Answer* answer);
  void Take(std::vector<Row> answer, std::vector<Row>* rows) const;

  Connection& connection_;
  const std::string& table_;
  const ReadLimits& limits_;
  const size_t max_rows_;
  const bool bounded_;   // in cells
  ScanRequest request_;  // its start moves forward
  const AskedColumns asked_;
  size_t at_once_;       // rows, or pieces of rows
  size_t piece_cells_;   // 0: whole rows
  CellSearch search_;    // for the end of a column
  bool at_end_ = false;  // no row of the range is left
};

}  // namespace fensi::store
