// Finds tables of periods that ended longer ago than `retention:`, checks that they are the index's own, and drops them
// one by one. For `fensi drop --expired` and for daemons with --drop_expired.
//
// Never drops a table that the template does not name exactly, or whose time `retention:` still allows; a table that
// another index may have; a table that is not as fensi creates it. A doubtful table stays.
//
// Any number of processes may do this at once, and each may die at any call: a drop is recorded before the first call
// (meta/versioned_meta_row.h), and a later process continues it. Blocks on the store; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "mapping/environment.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

/// The value of `retention:`, as a mapping file writes it: "60d".
std::string KeepText(const mapping::Index& index);

struct ExpiredTable {
  std::string name;
  int64_t last_millis = 0;        // of its period
  std::optional<size_t> regions;  // absent: unknown
  bool begun = false;             // a drop has begun
  std::string obstacle;           // why it is left alone; empty: it may be dropped
};

struct ExpiryOptions {
  std::string meta_table = mapping::kDefaultMetaTable;
  bool meta_table_given = false;             // given by a person, so it must exist
  std::chrono::seconds connect_timeout{10};  // minimum wait for a table that HBase is still disabling or removing
};

class ExpiredTables {
 public:
  /// Margin on top of `retention:`: clocks of daemons differ, batches wait for an unreachable store, and a comparison
  /// that began while a table was wanted may still run.
  static constexpr std::chrono::hours kMargin{1};

  /// Borrows all arguments. `beside`: other indexes that are known to have tables in the store.
  ExpiredTables(const mapping::Index* index, store::Store* store,
                std::vector<std::shared_ptr<const mapping::Index>> beside, ExpiryOptions options,
                Clock* clock = SystemClock());

  /// kInvalidArgument: the index has no period tables, or their names do not follow from a time alone.
  static Status RequirePeriods(const mapping::Index& index);
  /// kConfiguration: nothing shows that the tables are the index's own, another index has its name, or the index is
  /// being dropped.
  Status RequireOwn();

  /// Expired tables in the order of their names. Call Drop only for these.
  Result<std::vector<ExpiredTable>> Find();

  /// Disables and removes the table. Ok if it is gone.
  Status Drop(const ExpiredTable& table);

  /// Removes the records of tables that are gone, or wanted again because `retention:` is longer now.
  Status ForgetOthers(const std::vector<ExpiredTable>& expired);

 private:
  Status Judge(ExpiredTable* table);
  Status FindOthers(const std::string& table, std::string* obstacle);
  Status CompareWithOther(const std::string& table, const std::string& index, const std::string& prefix,
                          const std::string& state_table, std::string* obstacle);

  const mapping::Index* const index_;
  store::Store* const store_;
  const std::vector<std::shared_ptr<const mapping::Index>> beside_;
  const ExpiryOptions options_;
  Clock* const clock_;
};

}  // namespace fensi::operations
