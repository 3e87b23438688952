// Keeps a capture away from fensi's own tables, the meta table and those of indexes and states: each change of an index
// would cause another one. Looks for the tables of a capture in HBase.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "hbase/zookeeper/session.h"
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

// Looks in ZooKeeper for the tables of a capture without a store (table_sight.cc). HBase 2 mirrors the states of its
// tables to the znode ROOT/table, unless hbase.mirror.table.state.to.zookeeper is false. The mirror is best effort, so
// a table that it lacks is a warning, and never a refusal.

/// A warning for each of the tables that ZooKeeper does not show below `hbase_root`. The capture is about to create
/// `topic` for them. Blocks as `open` does.
std::map<std::string, std::string> UnseenTables(const hbase::SessionOpener& open, const std::string& hbase_root,
                                                const std::string& topic, const std::vector<std::string>& tables);

}  // namespace fensi::daemon
