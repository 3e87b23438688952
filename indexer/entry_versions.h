// Reads the newest time at which partition owners may have put entries of a source unit: from the timestamps of the
// unit's state and intents, or from the floors of a stateless index.
//
// Blocks on the store; any thread. Index and store outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "indexer/index_scheme.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

struct EntryUnit {
  std::string row;
  std::string family, qualifier;  // of a column unit; empty: the whole row with all its column units
};

class EntryVersions {
 public:
  EntryVersions(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// One time per unit, in their order. kNoTime: no owner has stored anything of the unit. INT64_MAX: unknown, because
  /// the index has not begun, is being converted, or its state table is gone.
  Result<std::vector<int64_t>> Newest(std::span<const EntryUnit> units) const;

 private:
  Result<std::vector<int64_t>> OfStates(std::span<const EntryUnit> units, const StateLayout& layout) const;
  Result<int64_t> OfFloors() const;

  const mapping::Index* const index_;
  store::Store* const store_;
};

}  // namespace fensi::indexer
