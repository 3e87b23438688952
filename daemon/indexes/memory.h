// Divides memory among the indexes of a run: each gets its share of the total, or a given size. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace fensi::daemon {

/// As a person gives it, in MiB.
struct MemoryOptions {
  int32_t all_mb = 0;      // of all indexes together; 0: not given
  int32_t queued_mb = 64;  // per index: messages that were fetched and not applied yet
  int32_t cache_mb = 64;   // per index: states of rows that were written recently
  bool queued_given = false, cache_given = false;
};

struct IndexMemory {
  size_t queued_bytes = 0;  // messages that were fetched and not applied yet
  size_t cache_bytes = 0;   // states of rows that were written recently
};

/// kInvalidArgument: both forms are used, or there is less than a megabyte for a queue or a cache.
Result<IndexMemory> MemoryOfEach(const MemoryOptions& options, size_t indexes);

}  // namespace fensi::daemon
