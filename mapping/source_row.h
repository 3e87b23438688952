// A source row as an index sees it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fensi::mapping {

/// A cell of the source row that its readers see.
struct VisibleCell {
  std::string_view family;
  std::string_view qualifier;
  int64_t timestamp = 0;
  std::string_view value;
  int64_t expires_at = INT64_MAX;  // by a TTL of its own, milliseconds since the epoch
};

/// The visible cells of one unit, newest version only, in any order, watched columns only (others do no harm).
struct RowView {
  std::string_view row;
  std::span<const VisibleCell> cells;
};

}  // namespace fensi::mapping
