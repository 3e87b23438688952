// Tables that come and go with their periods: made when their first entry comes, gone when a person drops them, or
// `fensi drop --expired` (meta/dropped_tables.h).
//
// Blocks on the store; one thread at a time.
#pragma once

#include <set>
#include <string>

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// Borrows both. Does nothing for an index with one table.
class PeriodTables {
 public:
  PeriodTables(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// Makes the table if it is not there. That another daemon is faster is normal.
  Status RequireForPuts(const std::string& table);
  /// False: there is no such table, so there is nothing in it to remove.
  Result<bool> IsThere(const std::string& table);
  /// Somebody is about to drop it, or was and has died: nothing of it counts any more.
  Result<bool> IsBeingDropped(const std::string& table) const;
  /// The store says that it has no such table: it was dropped.
  void Forget(const std::string& table) { known_.erase(table); }

 private:
  const mapping::Index* const index_;
  store::Store* const store_;
  std::set<std::string> known_;
};

}  // namespace fensi::indexer
