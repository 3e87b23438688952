// Where the floors of a partition stand (H9): row "mirror/TOPIC/N" of the index's state table, family i. Never reset,
// not by a replay either.
//
//   floor     the highest floor but for far ones
//   far/CELL  a far floor of one source cell (8 bytes, Floors::NameOf)
//   told/REGION  the highest sequence id that was told of a region (8 bytes, Floors::NameOf)
// The timestamp of each cell is its number: what a late owner writes cannot lower it.
//
// Blocks on the store; not thread-safe. Everything that is handed in outlives the object.
#pragma once

#include <string>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "indexer/mirror/floors.h"
#include "mapping/index.h"
#include "meta/shared_row.h"
#include "store/store.h"

namespace fensi::indexer {

class KeptFloors {
 public:
  KeptFloors(const mapping::Index* index, store::Store* store, Clock* clock, const consumer::Assignment* assignment);

  /// What owners before this one left, also those of other topics, as recorded files are: their rows may be the same.
  Status Load(Floors* floors);
  /// Stores what changed, before the offset moves.
  Status Save(Floors* floors);

 private:
  Status LoadOtherTopics(Floors* floors);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const consumer::Assignment* const assignment_;
  const std::string topic_;  // what the rows of its partitions begin with
  const meta::SharedRow row_;
};

/// What all rows of floors begin with; no other row of family i does.
inline constexpr std::string_view kFloorRows = "mirror/";

}  // namespace fensi::indexer
