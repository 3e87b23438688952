// Names of an index that another index of the same store has already: a table where both would keep states, a topic
// whose messages one of the two would not understand.
//
// Blocks on the store; any thread.
#pragma once

#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// What the meta table (--meta_table) says of one index.
struct NamesOfIndex {
  std::string name, table, state_table, source, topic;
};

/// The indexes that the meta table knows, without those that were dropped. Empty where there is no such table.
Result<std::vector<NamesOfIndex>> NamesOfIndexes(store::Store* store);

/// A line for each name of `index` that another one of `known` has; those are refused by who begins the index.
std::vector<std::string> TakenNames(const mapping::Index& index, const std::vector<NamesOfIndex>& known);

/// kConfiguration names every table and topic of the index that another index of the store has.
Status RefuseTakenNames(const mapping::Index& index, store::Store* store);

}  // namespace fensi::cli
