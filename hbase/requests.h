// Requests of a client of HBase, and the rows of the answers: mutations, gets, scans, filters.
//
// Values; views are borrowed if stated.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "hbase/errors.h"
#include "hbase/wire/cell_block.h"
#include "hbase/wire/frame_assembler.h"

namespace fensi::hbase {

/// Puts or delete markers of one row, which HBase writes atomically; all cells are puts, or all are markers. Borrows
/// row and cells. A TTL tag of the first cell counts for all of them.
struct Mutation {
  std::string_view row;
  std::span<const Cell> cells;
  bool is_delete = false;
};

/// A mutation that HBase refuses.
struct Refusal {
  size_t index = 0;  // in the batch
  RemoteError error;
  bool named = false;   // its region had other actions in the call, with other results
  bool shared = false;  // other actions of its region had the same error
};

struct ColumnName {
  std::string family;
  std::optional<std::string> qualifier;  // absent: the whole family
  bool operator==(const ColumnName&) const = default;
};

/// A filter of HBase in its serialized form. Empty name: none.
struct FilterSpec {
  std::string name;
  std::string bytes;
  bool empty() const { return name.empty(); }
};
enum class Comparison { kEqual = 2, kGreater = 5 };
FilterSpec FamilyFilter(Comparison comparison, std::string_view family);
FilterSpec QualifierFilter(Comparison comparison, std::string_view qualifier);
/// Columns of each family from this qualifier on, inclusive.
FilterSpec ColumnsFrom(std::string_view qualifier);
/// Cells without their values.
FilterSpec KeysOnly();
FilterSpec AllOf(const std::vector<FilterSpec>& filters);
FilterSpec AnyOf(const std::vector<FilterSpec>& filters);

struct TimeSpan {
  int64_t from = 0;
  int64_t to = std::numeric_limits<int64_t>::max();  // exclusive
  bool all() const { return from == 0 && to == std::numeric_limits<int64_t>::max(); }
};

struct GetSpec {
  std::string row;
  std::vector<ColumnName> columns;  // none: the whole row
  int32_t max_versions = 1;
  bool raw = false;             // also deleted puts, and the markers; columns must be whole families then
  uint32_t most_of_family = 0;  // cells; 0: no bound
};

/// A row in an answer. Valid as long as `frame`.
struct RowCells {
  std::vector<CellView> cells;
  FrameBytes frame;
};

/// One row in a page of a scan; its cells are a range of the page's.
struct ScannedRow {
  std::string_view row;
  size_t first = 0;
  size_t count = 0;
};

struct ScanSpec {
  std::string start;  // inclusive
  bool include_start = true;
  std::string stop;  // exclusive; empty: the end
  std::vector<ColumnName> columns;
  int32_t max_versions = 1;
  bool raw = false;
  FilterSpec filter;
  TimeSpan times;
  size_t max_rows = 1000;
  /// The page ends with the column in which it reaches this number of cells, perhaps within a row.
  size_t max_cells = std::numeric_limits<size_t>::max();
  size_t answer_bytes = 2 << 20;  // approximate, of one call
  /// Unwanted cells count nowhere. Null: all are wanted. Called in the order of the cells.
  std::function<bool(const CellView&)> wanted;
};

struct ScanPage {
  std::vector<ScannedRow> rows;
  std::vector<CellView> cells;
  std::vector<ReadPoint> read_points;  // of the regions in order; twice if a scanner was opened again
  bool at_end = false;                 // the range is finished
  bool within_row = false;             // the last row may have more columns
  std::vector<FrameBytes> frames;      // own the bytes

  std::span<const CellView> CellsOf(const ScannedRow& row) const {
    return std::span(cells).subspan(row.first, row.count);
  }
};

/// A put that is done only if a column's newest visible value is as expected.
struct Condition {
  std::string_view family;
  std::string_view qualifier;
  std::string_view expected;  // empty: the column has no value, or an empty one
};

}  // namespace fensi::hbase
