// Reads how far an index is from its own row of its state table, for processes that are not its owner.
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

struct PartitionProgress {
  std::string incarnation;          // empty: no owner ever opened the index
  std::set<int32_t> begun;          // partitions of its topic that were begun
  std::map<int32_t, int64_t> done;  // partition -> offset below which its requests are done
  std::string losses;               // changes if requests were gone before they were applied; one line
};

/// kNotFound: the state table does not exist.
Result<PartitionProgress> ReadPartitionProgress(const mapping::Index& index, store::Store* store);

/// M21: only owners of the incarnation that was asked apply its requests. kConfiguration: the index was dropped and
/// recreated since.
Status CheckIncarnation(const mapping::Index& index, const PartitionProgress& progress, const std::string& asked);

/// M16: the owners have begun all partitions, so what is scanned from now on is followed by a stream that began before.
/// kConfiguration names the missing partition.
Status RequireAllPartitionsInitialized(const mapping::Index& index, const PartitionProgress& progress,
                                       int32_t partitions);

}  // namespace fensi::indexer
