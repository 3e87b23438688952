// The tables an index needs, as `fensi create` makes them.
#pragma once

#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// M10: delete markers outlive every call that a paused process or a slow gateway may still deliver.
constexpr char kPurgeDelayKey[] = "hbase.hstore.time.to.purge.deletes";
constexpr char kPurgeDelayMillis[] = "86400000";

struct TablePlan {
  store::TableDescriptor table;
  std::vector<std::string> split_keys;
};

/// Index table with the attributes of `create:`; absent for an index whose table is a template.
TablePlan IndexTablePlan(const mapping::Index& index, const std::string& table_name);

/// State table, split as the source table is (`source_starts`: its regions' start keys; may be empty).
TablePlan StateTablePlan(const mapping::Index& index, const std::vector<std::string>& source_starts);

}  // namespace fensi::indexer
