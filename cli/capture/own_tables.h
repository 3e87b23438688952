// Keeps a capture away from fensi's own tables, the meta table and those of indexes and states: each change of an index
// would feed itself.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/mapping.h"

namespace fensi::cli {

/// kConfiguration names the table and what it is: the meta table, an index or state table of the mappings, or a name
/// that ends as state tables do. Also for a table whose changes would go to a topic of requests or dead letters of
/// theirs.
Status RefuseOwnTables(const std::vector<std::string>& tables, const std::vector<mapping::Mapping>& mappings);

/// kConfiguration for a table that has a state table beside it in the store, or does not exist, and for one whose
/// changes would go to a topic of requests or dead letters of an index that the meta table knows. Blocks.
Status CheckTablesInStore(const std::vector<std::string>& tables);

}  // namespace fensi::cli
