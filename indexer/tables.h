// The tables an index needs, as `fensi create` makes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// M10: delete markers outlive every call that a paused process or a slow gateway may still deliver.
constexpr char kPurgeDelayKey[] = "hbase.hstore.time.to.purge.deletes";
constexpr char kPurgeDelayMillis[] = "86400000";

/// The longest TTL that source and index share, for an index with `expire: exact`; absent: cells live for ever.
std::optional<int64_t> SourceTtlMillis(const mapping::Index& index);

/// How long states outlive what they speak of: longer than any replay of the stream.
constexpr int64_t kReplayWindowMillis = int64_t{30} * 86'400'000;

struct TablePlan {
  store::TableDescriptor table;
  std::vector<std::string> split_keys;
};

/// Index table with the attributes of `create:`; absent for an index whose table is a template.
TablePlan IndexTablePlan(const mapping::Index& index, const std::string& table_name);

/// State table, split as the source table is (`source_starts`: its regions' start keys; may be empty), a mirror's in as
/// many even parts, and compressed as the index table is.
TablePlan StateTablePlan(const mapping::Index& index, const std::vector<std::string>& source_starts);

}  // namespace fensi::indexer
