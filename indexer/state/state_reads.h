// Reads the states of a batch from the state table, and takes the answers. indexer/state/layout.h says where states
// are.
//
// Works in rounds: an answer may require a further read (NextRound). Not thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "indexer/state/layout.h"
#include "indexer/state/row_work.h"
#include "store/store.h"

namespace fensi::indexer {

class StateReads {
 public:
  StateReads(StateLayout layout, bool row_units) : layout_(layout), row_units_(row_units) {}

  /// Adds reads for what is missing of the row, which outlives this; false: nothing is missing.
  bool Add(RowWork* row);

  /// The requests of this round; the row that was added first is in one of the first.
  const std::vector<store::GetRequest>& requests() const { return requests_; }
  /// How many units a request reads; 0: all of a row, whose number is unknown.
  size_t units(size_t request) const;

  /// Takes the answer to this request: its rows are loaded then, except rows that the next round reads. Fails as
  /// TakeState.
  Status Take(size_t request, store::Row answer);

  /// Adds reads for what this round left open, rows in the order in which they were added. False: nothing is open.
  bool NextRound();

 private:
  /// Units of one Get.
  static constexpr size_t kMostUnits = 100;

  void AddToBucket(RowWork* row);
  Status TakeBucket(const std::vector<RowWork*>& rows, store::Row answer);
  Status TakeOfBucket(Cell cell, RowWork* row);
  Status TakeApart(RowWork* row, store::Row answer);

  const StateLayout layout_;
  const bool row_units_;
  std::vector<RowWork*> in_order_;
  std::vector<store::GetRequest> requests_;
  std::vector<std::vector<RowWork*>> rows_of_;        // rows of each request
  absl::flat_hash_map<std::string, size_t> filling_;  // bucket -> its request that takes more units
  bool apart_ = false;                                // this round reads rows of their own
};

}  // namespace fensi::indexer
