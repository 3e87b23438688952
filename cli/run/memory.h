// How much memory each index of a run may take: of --memory_mb its share, else what --max_queued_mb and
// --state_cache_mb say. Pure but for the flags.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace fensi::cli {

struct IndexMemory {
  size_t queued_bytes = 0;  // messages that were fetched and not yet applied
  size_t cache_bytes = 0;   // states of rows that were written lately
};

/// kInvalidArgument: both ways of saying it are used, or there is less than a megabyte for a queue or a cache.
Result<IndexMemory> MemoryOfEach(size_t indexes);

}  // namespace fensi::cli
