// What all indexes may take together, and what it does not go with.
#include "daemon/indexes/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

TEST(IndexMemory, HalfIsForQueuesAndHalfForCachesInEqualShares) {
  const Result<IndexMemory> each = MemoryOfEach({.all_mb = 12}, 3);
  ASSERT_TRUE(each.ok()) << each.status().message();
  EXPECT_EQ(each->queued_bytes, 2u << 20);
  EXPECT_EQ(each->cache_bytes, 2u << 20);
}

TEST(IndexMemory, WithoutItEachIndexHasWhatIsSaidForEach) {
  const Result<IndexMemory> each =
      MemoryOfEach({.queued_mb = 3, .cache_mb = 5, .queued_given = true, .cache_given = true}, 7);
  ASSERT_TRUE(each.ok()) << each.status().message();
  EXPECT_EQ(each->queued_bytes, 3u << 20);
  EXPECT_EQ(each->cache_bytes, 5u << 20);
}

TEST(IndexMemory, BothWaysTogetherAreRefused) {
  // The defaults, but said.
  for (const auto& [options, part] : {std::pair(MemoryOptions{.all_mb = 128, .queued_given = true}, "max_queued_mb"),
                                      std::pair(MemoryOptions{.all_mb = 128, .cache_given = true}, "state_cache_mb")}) {
    const Status status = MemoryOfEach(options, 1).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(std::string("cannot be combined with --") + part));
  }
}

TEST(IndexMemory, LessThanAMegabyteForAQueueIsRefused) {
  EXPECT_TRUE(MemoryOfEach({.all_mb = 5}, 2).ok());
  const Status status = MemoryOfEach({.all_mb = 5}, 3).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("too little for 3 indexes, which need 2 MB each. Give --memory_mb=6 or more"));
}

}  // namespace
}  // namespace fensi::daemon
