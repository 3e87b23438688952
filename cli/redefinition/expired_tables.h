// Tables of periods that ended longer ago than `keep:`: found, judged to be the index's own, and dropped one by one.
// For `fensi drop --expired` and for daemons with --drop_expired.
//
// The rule that matters is what is never dropped: a table that the template does not name exactly, or for a time that
// `keep:` still allows; one that another index may have; one that is not as fensi makes it. What is in doubt stays.
//
// Any number of processes may do this at once, and each may die at any call: a table is noted as dropped before the
// first call (meta/dropped_tables.h), and who comes later goes on. Blocks on the store; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// What `keep:` says, as a mapping file writes it: "60d".
std::string KeepText(const mapping::Index& index);

struct ExpiredTable {
  std::string name;
  int64_t last_millis = 0;        // of its period
  std::optional<size_t> regions;  // absent: not told
  bool begun = false;             // somebody has begun to drop it
  std::string obstacle;           // why it is left alone; empty: it is to be dropped
};

class ExpiredTables {
 public:
  /// On top of `keep:`: clocks of daemons differ, batches wait for a store that is away, and a comparison that began
  /// while a table was wanted goes on for a while.
  static constexpr std::chrono::hours kMargin{1};

  /// Borrows all. `beside`: other indexes that are known to have tables in the store.
  ExpiredTables(const mapping::Index* index, store::Store* store,
                std::vector<std::shared_ptr<const mapping::Index>> beside, Clock* clock = SystemClock());

  /// kInvalidArgument: the index has no tables of periods, or their names do not follow from a time alone.
  static Status RequirePeriods(const mapping::Index& index);
  /// kConfiguration: nothing shows that the tables are the index's own, another index has its name, or somebody drops
  /// the index.
  Status RequireOwn();

  /// In the order of their names. Of these only may Drop be asked.
  Result<std::vector<ExpiredTable>> Find();

  /// Disables and removes it. One that is gone is as it should be.
  Status Drop(const ExpiredTable& table);

  /// Takes back what was noted of tables that are gone, or wanted again because `keep:` is longer now.
  Status ForgetOthers(const std::vector<ExpiredTable>& expired);

 private:
  Status Judge(ExpiredTable* table);
  Status FindOthers(const std::string& table, std::string* obstacle);
  Status CompareWithOther(const std::string& table, const std::string& index, const std::string& prefix,
                          const std::string& state_table, std::string* obstacle);

  const mapping::Index* const index_;
  store::Store* const store_;
  const std::vector<std::shared_ptr<const mapping::Index>> beside_;
  Clock* const clock_;
};

}  // namespace fensi::cli
