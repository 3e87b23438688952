// Plans the tables of an index, as `fensi create` makes them, and maintains period tables.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
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

/// How long states outlive their cells: longer than any replay of the stream.
constexpr int64_t kReplayWindowMillis = int64_t{30} * 86'400'000;

struct TablePlan {
  store::TableDescriptor table;
  std::vector<std::string> split_keys;
};

/// Index table with the attributes of `create:`; absent for an index whose table is a template.
TablePlan IndexTablePlan(const mapping::Index& index, const std::string& table_name);

/// State table, split as the source table is (`source_starts`: its regions' start keys; may be empty), for a stateless
/// index into as many even parts, and compressed as the index table is.
TablePlan StateTablePlan(const mapping::Index& index, const std::vector<std::string>& source_starts);

// Creates period tables when their first entry arrives. A person, or `fensi drop --expired`, drops them
// (meta/versioned_meta_row.h).
//
// Blocks on the store; one thread at a time.

/// Does nothing for an index with one table. Borrows index and store.
class PeriodTables {
 public:
  PeriodTables(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// Creates the table if it is missing. Another daemon may create it first.
  Status RequireForPuts(const std::string& table);
  /// False: the table does not exist, so there is nothing to remove.
  Result<bool> IsThere(const std::string& table);
  /// True if somebody is dropping the table, or died while doing so: nothing of it counts any more.
  Result<bool> IsBeingDropped(const std::string& table) const;
  /// Call if the store says that it has no such table: it was dropped.
  void Forget(const std::string& table) { known_.erase(table); }

 private:
  const mapping::Index* const index_;
  store::Store* const store_;
  std::set<std::string> known_;
};

}  // namespace fensi::indexer
