// The reads of the state table that make what a batch needs known, and what their answers say. Where states lie says
// indexer/state/layout.h.
//
// In rounds: answers may tell that more has to be read (NextRound). Not thread-safe.
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

  /// Asks for what is missing of the row, which outlives this; false: nothing is.
  bool Add(RowWork* row);

  /// Of this round; the row that was added first is among those of the first.
  const std::vector<store::GetRequest>& requests() const { return requests_; }
  /// How many units a request asks for; 0: all of a row, whose number is unknown.
  size_t units(size_t request) const;

  /// Makes known what the answer to this request tells: its rows are loaded then, but for those that the next round
  /// asks for. Fails as TakeState.
  Status Take(size_t request, store::Row answer);

  /// Asks for what the answers of this round left open, of rows in the order in which they were added. False: nothing.
  bool NextRound();

 private:
  /// Of one Get.
  static constexpr size_t kMostUnits = 100;

  void AddToBucket(RowWork* row);
  Status TakeBucket(const std::vector<RowWork*>& rows, store::Row answer);
  Status TakeOfBucket(Cell cell, RowWork* row);
  Status TakeApart(RowWork* row, store::Row answer);

  const StateLayout layout_;
  const bool row_units_;
  std::vector<RowWork*> in_order_;
  std::vector<store::GetRequest> requests_;
  std::vector<std::vector<RowWork*>> rows_of_;        // of each request
  absl::flat_hash_map<std::string, size_t> filling_;  // the request of a bucket that takes more
  bool apart_ = false;                                // this round reads what stands apart
};

}  // namespace fensi::indexer
