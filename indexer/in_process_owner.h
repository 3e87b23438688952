// Applies requests in this process, as the owner of all rows of an index whose store only one process can open. With
// other stores the partition owners do this.
//
// It records no position: after a crash there are only intents (M8), as after a crash of any attempt before its states,
// and the caller repeats the requests. Blocks on the store and, for delayed re-reads, on the clock; one thread.
// Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/dead_letters.h"
#include "indexer/index_maintainer.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class InProcessOwner {
 public:
  InProcessOwner(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters,
                 Clock* clock);

  /// Opens the index, as IndexMeta::Open. Call before anything else.
  Status Open();
  /// Call instead of Open: treats the index as the stateless index that it is being converted to, under this
  /// assignment.
  void OpenAsStateless(std::shared_ptr<consumer::Assignment> assignment, std::string incarnation);
  /// Applies the requests. Returns after the delayed re-reads. After any error the object must not be used again.
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
  std::unique_ptr<IndexMaintainer> keeper_;
  int64_t next_offset_ = 0;
};

}  // namespace fensi::indexer
