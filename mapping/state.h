// How the state of an index is kept: in which table, and what of a source row is one piece of it.
#pragma once

#include <string_view>

namespace fensi::mapping {

/// What follows the index's name in the name of its state table, unless `state_table:` names one.
inline constexpr std::string_view kStateTableSuffix = "_state";

/// How much of a source row is one unit of state.
enum class StateScope {
  kRow,     // entries depend on several cells of the row
  kColumn,  // each entry depends on its bound column alone (`each:`): a wide row costs no more per event
};

}  // namespace fensi::mapping
