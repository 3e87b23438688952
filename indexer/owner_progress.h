// How far an index is by its own row of its state table, for who asks it and is not its owner.
//
// Blocks on the store; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

struct OwnerProgress {
  std::string incarnation;          // empty: no owner ever opened it
  std::set<int32_t> begun;          // partitions of its topic that were begun
  std::map<int32_t, int64_t> done;  // requests of these partitions that lie below are done
  std::string losses;               // changes when requests were gone before they were applied; one line
};

/// kNotFound: the state table is not there.
Result<OwnerProgress> ReadOwnerProgress(const mapping::Index& index, store::Store* store);

/// M21: only owners of the incarnation that was asked do what it was asked. kConfiguration: the index was dropped and
/// made again since then.
Status CheckIncarnation(const mapping::Index& index, const OwnerProgress& progress, const std::string& asked);

/// M16: its owners have begun all of so many partitions, so that what is scanned from now on is followed by a stream
/// from before. kConfiguration names the one that is missing.
Status RequireBegun(const mapping::Index& index, const OwnerProgress& progress, int32_t partitions);

}  // namespace fensi::indexer
