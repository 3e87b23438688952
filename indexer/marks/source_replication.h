// Checks whether HBase replicates what an index reads of its source table. Replication markers arrive for every table
// of a cluster, so by markers alone an index looks complete although no change of its family was ever sent.
//
// Blocks on the store; one thread. Index, store and clock outlive it.
#pragma once

#include <chrono>
#include <optional>

#include "base/clock.h"
#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class SourceReplication {
 public:
  /// Period after which the table is checked again.
  static constexpr std::chrono::minutes kPeriod{1};

  SourceReplication(const mapping::Index* index, store::Store* store, Clock* clock)
      : index_(index), store_(store), clock_(clock) {}

  /// kConfiguration: a family that the index reads has REPLICATION_SCOPE 0. kUnavailable: the store does not answer. Ok
  /// also if it cannot be told: the table is not in this store, the store has no replication, or the user may not ask.
  Status Check();

 private:
  Status Look() const;

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  std::optional<std::chrono::milliseconds> looked_;  // since boot; absent: not checked yet
  Status seen_;
};

}  // namespace fensi::indexer
