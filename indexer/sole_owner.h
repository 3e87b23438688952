// The owner of all rows of an index whose store no other process can open: does in this process what else the owners of
// partitions do who are asked by requests.
//
// What it does is noted nowhere: a death leaves what any attempt leaves that dies before its states, intents of its
// rows (M8), and who asked asks again. Blocks on the store and, for second looks, on the clock; one thread. Everything
// that is handed in outlives it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/dead_letters.h"
#include "indexer/keeper.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class SoleOwner {
 public:
  SoleOwner(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters, Clock* clock);

  /// Before anything else. As IndexMeta::Open.
  Status Open();
  /// Instead: as the mirror that the index is not yet, by this assignment.
  void OpenAsMirror(std::shared_ptr<consumer::Assignment> assignment, std::string incarnation);
  /// Does them, and ends when the source has been looked at again where that is needed. After any error it must not be
  /// used again.
  Status Apply(std::vector<consumer::Request> requests);

  const Counters& counters() const { return counters_; }

 private:
  const mapping::Index* const index_;
  store::Store* const store_;
  consumer::DeadLetterSink* const dead_letters_;
  Clock* const clock_;
  Counters counters_;
  std::shared_ptr<consumer::Assignment> assignment_;
  std::string incarnation_;
  std::unique_ptr<Keeper> keeper_;
  int64_t next_offset_ = 0;
};

}  // namespace fensi::indexer
