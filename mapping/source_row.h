// A source row as an index sees it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// A visible cell of the source row.
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

// How an index is kept exact: its scheme, its state table, and its unit of state.

/// The suffix of a state table's name, unless `state_table:` names one.
inline constexpr std::string_view kStateTableSuffix = "_state";

/// How an index follows its source (`scheme:`). Decided when an index is new, permanently.
enum class Scheme {
  kState,      // remembers the source cells of its entries, and compares them with each change
  kStateless,  // each index cell follows one source cell at its timestamps, and only deletes leave floors
};

/// The part of a source row that is one unit of state.
enum class StateScope {
  kRow,     // entries depend on several cells of the row
  kColumn,  // each entry depends on its bound column alone (`each:`): a wide row costs no more per event
};

// The columns of the source that an index reads.

/// Columns of the source that an index reads: one column, or a whole family, or those with a prefix.
struct Watch {
  std::string family;
  std::string qualifier;  // or its prefix
  enum class Kind { kColumn, kPrefix, kFamily } kind = Kind::kColumn;
  bool bound = false;  // named by `each:`
};

/// As people write it: "f1:a", "f1:a*" for a prefix or a family, with the suffix " (each)" for bound columns.
std::string WatchText(const Watch& watch);
std::vector<std::string> WatchTexts(std::span<const Watch> watches);

bool Covers(const Watch& watch, std::string_view family, std::string_view qualifier);

// The parts of a source row that should be entries and cannot.

/// Why a row or an item of it has no entry although it should: becomes a dead letter.
struct Unmappable {
  std::string reason;  // names the template and the value: "row '{f1:age | int}': \"x7\" is not a whole number"
};

}  // namespace fensi::mapping
