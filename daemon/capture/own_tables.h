// Keeps a capture away from fensi's own tables, the meta table and those of indexes and states: each change of an index
// would cause another one.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/mapping.h"
#include "operations/access/stores.h"

namespace fensi::daemon {

/// kConfiguration names the table and what it is: the meta table, an index or state table of the mappings, or a name
/// with the suffix of state tables. Also for a table whose changes would go to one of their topics of requests or dead
/// letters. `topic_pattern`: value of --topic.
Status RefuseOwnTables(const std::vector<std::string>& tables, const std::string& topic_pattern,
                       const std::string& meta_table, const std::vector<mapping::Mapping>& mappings);

/// kConfiguration for a table that has a state table in the store, or does not exist, and for a table whose changes
/// would go to a topic of requests or dead letters of a registered index. Blocks.
Status CheckTablesInStore(const std::vector<std::string>& tables, const std::string& topic_pattern,
                          const operations::StoreOptions& options);

}  // namespace fensi::daemon
