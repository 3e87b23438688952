// Moves an index that was begun with states to the mirror that its mapping now says (`fensi migrate`; H15).
//
// Nobody may run the index meanwhile. What the index table holds stays as it is: all that is told at or below the floor
// is a question to the source (H3), and the floor lies above all that is there. So a move is
//   1. who begins the index from now on is refused (IndexMove::Begin), and nobody had begun it;
//   2. the floor of all: above every state, and above every cell and marker of the index table, of which an owner that
//      died before its states has left some that no state tells of;
//   3. columns that have a state are known columns; what was open is asked from the source;
//   4. the index is a mirror (IndexMove::Finish);
//   5. the states go.
// Each step may be done again: after a death the same call goes on, and until step 4 nobody else does anything with the
// index. Blocks on the store and, for second looks, on the clock; one thread. What is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
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
  /// How far the floor is above all that is there, and above the clock: a delete may be told later than a younger put
  /// of its cell, and which sequence ids were told, states do not know.
  static constexpr int64_t kAheadMillis = 60'000;
  /// What is further ahead of the clock cannot be moved: the source would be asked about every event until then.
  static constexpr int64_t kFarMillis = Floors::kFarMillis;

  struct Found {
    MoveStage stage = MoveStage::kNotBegun;
    int64_t units = 0;       // that have a state
    int64_t open = 0;        // units to be asked from the source, perhaps some of them twice
    int64_t newest = 0;      // version of a state, or 0
    bool committed = false;  // a group has, for a topic of the index
    bool unnamed = false;    // its beginning died between its two stages: it gets its incarnation
    bool nothing_to_do = false;
  };

  Migration(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters, Clock* clock,
            int64_t ahead_millis = kAheadMillis);

  /// What there is to do; only reads. kConfiguration: it cannot be moved, and why.
  Result<Found> Look();

  /// Does it. `nobody_runs` says whether the index rests; it is asked twice, as a process may begin meanwhile. When it
  /// is refused the second time, or the index table says no, the index is as it was.
  Status Execute(const std::function<Status()>& nobody_runs);

 private:
  Status Begin(MoveStage stage, const std::function<Status()>& nobody_runs);
  Status AddStates(Found* found);
  /// Of the index table, above `from`, markers too; or `from`.
  Result<int64_t> NewestCell(int64_t from);
  Status CheckNotFar(int64_t newest, const std::string& what) const;
  Status RaiseFloor();
  Status MoveUnits();
  consumer::Request RequestOf(const StoredState& state) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  consumer::DeadLetterSink* const dead_letters_;
  Clock* const clock_;
  const int64_t ahead_millis_;
  const bool each_;  // units are columns
  IndexMove move_;
  const std::shared_ptr<consumer::Assignment> assignment_;  // of all topics
};

}  // namespace fensi::indexer
