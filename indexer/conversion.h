// Converts an index that keeps row states to the stateless index that its mapping asks for now (`fensi convert`; H15).
//
// No process may run the index meanwhile. The index table stays as it is: every event at or below the floor becomes a
// question to the source (H3), and the floor is above everything that exists. The steps:
//   1. Refuse every owner that begins the index from now on (SchemeChange::Begin), and check that no owner had begun
//   it.
//   2. Write the floor of all: above every state, and above every cell and marker of the index table. An owner that
//   died
//      before its states has left cells that no state knows.
//   3. Record columns that have a state as known columns, and ask the source about what was ambiguous.
//   4. Make the index stateless (SchemeChange::Finish).
//   5. Remove the states.
// Each step may be repeated: after a crash the same call continues, and until step 4 nobody else uses the index. Blocks
// on the store and, for delayed re-reads, on the clock; one thread. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "consumer/dead_letters.h"
#include "indexer/in_process_owner.h"
#include "indexer/mirror/floors.h"
#include "indexer/scheme_change.h"
#include "indexer/state/state_table.h"
#include "mapping/index.h"
#include "store/wrapped_store.h"

namespace fensi::indexer {

class Conversion {
 public:
  /// How far the floor is above everything that exists, and above the clock: a delete may arrive later than a younger
  /// put of its cell, and states do not know which sequence ids were received.
  static constexpr int64_t kAheadMillis = 60'000;
  /// Limit ahead of the clock, above which an index cannot be converted: the source would be read for every event until
  /// then.
  static constexpr int64_t kFarMillis = Floors::kFarMillis;

  struct Found {
    SchemeChangeStage stage = SchemeChangeStage::kNotStarted;
    int64_t units = 0;       // that have a state
    int64_t open = 0;        // units to be read from the source, some perhaps twice
    int64_t newest = 0;      // version of a state, or 0
    bool committed = false;  // a group has committed for a topic of the index
    bool unnamed = false;    // its creation died between the two stages: it gets its incarnation
    bool nothing_to_do = false;
  };

  Conversion(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters, Clock* clock,
             int64_t ahead_millis = kAheadMillis);

  /// Finds what there is to do; only reads. kConfiguration: the index cannot be converted, and why.
  Result<Found> Look();

  /// Converts the index. `nobody_runs` says whether the index is quiesced; it is called twice, because a process may
  /// start meanwhile. If the second call fails, or the index table cannot be converted, the index is as before.
  Status Execute(const std::function<Status()>& nobody_runs);

 private:
  Status Begin(SchemeChangeStage stage, const std::function<Status()>& nobody_runs);
  Status AddStates(Found* found);
  /// The newest timestamp of the index table above `from`, markers included; or `from`.
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
  SchemeChange move_;
  const std::shared_ptr<consumer::Assignment> assignment_;  // of all topics
  /// For writes of the stateless index. Its permission check reads the same store on the calling thread.
  store::FencedStoreView owned_;
};

}  // namespace fensi::indexer
