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
    int64_t expires_at = INT64_MAX;
    bool operator==(const Value&) const = default;
  };
  using Column = std::pair<std::string, std::string>;
  using VisibleRow = std::map<Column, Value>;

  void Apply(const std::string& row, const std::vector<Cell>& cells);
  /// What has expired by `now` is absent; an older version shows in its place.
  VisibleRow Visible(const std::string& row, int64_t now = 0) const;
  std::vector<std::string> Rows() const;

  /// Milliseconds; that of the family.
  void set_ttl(int64_t ttl) { ttl_ = ttl; }
  /// What has expired uncovers nothing older: so far goes what an entry that expires exactly can follow.
  void set_uncovers(bool uncovers) { uncovers_ = uncovers; }

  /// Drops hidden puts, then every marker.
  void MajorCompact();

 private:
  struct Stored {
    std::string row;
    Cell cell;
  };

  bool Hidden(const Stored& put) const;
  static bool Hides(const Stored& marker, const Stored& put);
  Value ValueOf(const Cell& put) const;

  std::vector<Stored> cells_;
  int64_t ttl_ = INT64_MAX;
  bool uncovers_ = true;
};

}  // namespace fensi::testing
