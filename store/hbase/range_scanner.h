// Reads a range of rows in answers of bounded size: fewer rows at once when they are wide, and a row that is too wide
// for one answer in pieces. A row that is read in several calls is not read at one moment. Blocks; used by one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/hbase/asked_columns.h"
#include "store/hbase/cell_search.h"
#include "store/hbase/connection.h"
#include "store/hbase/row_getter.h"
#include "store/store.h"

namespace fensi::store {

class RangeScanner {
 public:
  /// All arguments must outlive it.
  RangeScanner(Connection& connection, const std::string& table, const ScanRequest& request, const ReadLimits& limits);

  Status Read(std::vector<Row>* rows);

 private:
  /// What one call brought.
  struct Answer {
    std::vector<Row> rows;    // every piece of a row with the others
    bool ends = false;        // nothing of the range is left
    bool breaks_off = false;  // the last row may have more columns
  };
  Result<Answer> Ask(size_t pieces);
  /// Next time; false when one answer can hold no less.
  bool AskForLess(size_t pieces);
  /// Leaves out the column at the end that may not be complete, and goes to what comes next.
  void GoOn(Answer* answer);
  void Take(std::vector<Row> answer, std::vector<Row>* rows) const;

  Connection& connection_;
  const std::string& table_;
  const ReadLimits& limits_;
  const size_t max_rows_;
  const bool bounded_;   // in cells
  ScanRequest request_;  // its start goes forward
  const AskedColumns asked_;
  size_t at_once_;       // rows, or pieces of rows
  size_t piece_cells_;   // 0: rows come whole
  CellSearch search_;    // for a column's end
  bool at_end_ = false;  // no row of the range comes after what was read
};

}  // namespace fensi::store
