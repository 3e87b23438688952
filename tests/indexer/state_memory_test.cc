// The memory of states: what it may cost, and what it remembers.
#include "indexer/state/state_memory.h"

#include <gtest/gtest.h>

namespace fensi::indexer {
namespace {

TEST(StateMemory, PartitionsShareOneBudgetForCachesAndFilters) {
  for (const size_t total : {size_t{1} << 20, size_t{64} << 20, size_t{1} << 30}) {
    for (const size_t partitions : {1, 4, 100, 5000}) {
      const StateMemoryShare fresh = ShareOf(total, partitions, true), known = ShareOf(total, partitions, false);
      EXPECT_LE((fresh.cache_bytes + fresh.filter_bytes) * partitions, total);
      EXPECT_LE(known.cache_bytes * partitions, total);
      EXPECT_EQ(known.filter_bytes, 0u);
      EXPECT_GT(fresh.filter_bytes, 0u);
    }
  }
}

}  // namespace
}  // namespace fensi::indexer
