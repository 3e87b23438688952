// HBase's visible state of a table, computed from nothing but the list of cells that were written, in the order in
// which they were written. Shares no code with the product; checked against a real HBase by its own test.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"

namespace fensi::testing {

class SourceModel {
 public:
  struct Value {
    int64_t timestamp;
    std::string value;
    bool operator==(const Value&) const = default;
  };
  using Column = std::pair<std::string, std::string>;
  using VisibleRow = std::map<Column, Value>;

  void Apply(const std::string& row, const std::vector<Cell>& cells);
  VisibleRow Visible(const std::string& row) const;
  std::vector<std::string> Rows() const;

  /// Drops hidden puts, then every marker.
  void MajorCompact();

 private:
  struct Stored {
    std::string row;
    Cell cell;
  };

  bool Hidden(const Stored& put) const;
  static bool Hides(const Stored& marker, const Stored& put);

  std::vector<Stored> cells_;
};

}  // namespace fensi::testing
