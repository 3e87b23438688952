// All that a state table remembers, cell by cell, whichever way it lies there (indexer/state/layout.h).
//
// Blocks on the store; not thread-safe. Index and store outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

struct StoredState {
  enum class Kind {
    kState,    // of a unit
    kDoubt,    // what the last look at a unit left, or what an attempt may have made of it
    kMarkers,  // on families, shared by column units; or that there are intents
  };
  Kind kind = Kind::kState;
  std::string row;        // of the source
  std::string unit;       // UnitKey; empty: a unit that is a row, or kMarkers
  int64_t timestamp = 0;  // of its cell
  bool open = false;      // what the source shows was to be asked once, or its cell cannot be decoded: it may not be
                          // what the index has
};

class StateScan {
 public:
  StateScan(const mapping::Index* index, store::Store* store, const StateLayout& layout);

  /// The next of them, as many as may be in memory together; false: there are no more. kConfiguration: a cell is of a
  /// format that this version does not read.
  Result<bool> Next(std::vector<StoredState>* page);

 private:
  Status Take(const std::string& row, const Cell& cell, std::vector<StoredState>* page) const;
  Status TakeDoubt(const Cell& cell, StoredState* found) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const StateLayout layout_;
  store::ScanRequest request_;
  bool more_ = true;
};

/// Removes all of them, and nothing of the index itself. May be done again.
Status RemoveStates(const mapping::Index& index, store::Store* store);

/// Whether there is any.
Result<bool> HasStates(const mapping::Index& index, store::Store* store);

}  // namespace fensi::indexer
