// Moves an index that was begun with states to the mirror that its mapping now says (`fensi migrate`; H15).
//
// Nobody may run the index meanwhile. What the index tables hold stays as it is: entries stand at or below the versions
// of their units, and all that is told at or below the newest of these is a question to the source (H3). So a move is
//   1. who begins the index from now on is refused (IndexMove::Begin), and nobody had begun it;
//   2. the floor of all: above every version of a state, and of what an attempt may have written and not kept;
//   3. columns that have a state are known columns; what was open is asked from the source, with two looks;
//   4. the index is a mirror (IndexMove::Finish);
//   5. the states go.
// Each step may be done again: after a death the same call goes on, and until step 4 nobody else does anything with the
// index. Blocks on the store and, for second looks, on the clock; one thread. What is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "consumer/dead_letters.h"
#include "indexer/index_move.h"
#include "indexer/mirror/floors.h"
#include "indexer/sole_owner.h"
#include "indexer/state/state_scan.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class Migration {
 public:
  /// How far ahead of the clock the floor is at least, so that all that happened before the move is a question: which
  /// sequence ids were told of a region, states do not know, and an attempt that died before its states may have
  /// written above the times of its events, by two for each event of its batch.
  static constexpr int64_t kAheadMillis = 60'000;

  struct Found {
    MoveStage stage = MoveStage::kNotBegun;
    int64_t units = 0;   // that have a state
    int64_t open = 0;    // units to be asked from the source, perhaps some of them twice
    int64_t newest = 0;  // version of a state, or 0
    bool nothing_to_do = false;
  };

  Migration(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters, Clock* clock);

  /// What there is to do; only reads. kConfiguration: it cannot be moved, and why.
  Result<Found> Look();

  /// Does it. `nobody_runs` says whether the index rests; it is asked twice, as a process may begin meanwhile.
  Status Execute(const std::function<Status()>& nobody_runs);

 private:
  Status Begin(const std::function<Status()>& nobody_runs);
  Status RaiseFloors();
  void RaiseFloor(const StoredState& state, Floors* floors) const;
  Status MoveUnits();
  consumer::Request RequestOf(const StoredState& state) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  consumer::DeadLetterSink* const dead_letters_;
  Clock* const clock_;
  const bool each_;  // units are columns
  IndexMove move_;
  const std::shared_ptr<consumer::Assignment> assignment_;  // of all topics
  std::vector<consumer::RequestedColumn> named_;            // that a unit that is a row has
};

}  // namespace fensi::indexer
