// How an index is kept exact: with which state, in which table, and what of a source row is one piece of it.
#pragma once

#include <string_view>

namespace fensi::mapping {

/// What follows the index's name in the name of its state table, unless `state_table:` names one.
inline constexpr std::string_view kStateTableSuffix = "_state";

/// How an index follows its source (`scheme:`). Decided when an index is new, for all its time.
enum class Scheme {
  kState,   // what its entries came from is remembered, and compared with each change
  kMirror,  // each index cell follows one source cell at its timestamps, and only deletes leave marks
};

/// How much of a source row is one unit of state.
enum class StateScope {
  kRow,     // entries depend on several cells of the row
  kColumn,  // each entry depends on its bound column alone (`each:`): a wide row costs no more per event
};

}  // namespace fensi::mapping
