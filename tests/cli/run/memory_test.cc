// --memory_mb, and the flags that it does not go with.
#include "cli/run/memory.h"

#include <gflags/gflags.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/flags/flags.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

class IndexMemoryTest : public ::testing::Test {
 private:
  gflags::FlagSaver before_;
};

TEST_F(IndexMemoryTest, HalfIsForQueuesAndHalfForCachesInEqualShares) {
  SetFlag("memory_mb", "12", /*typed=*/true);
  const Result<IndexMemory> each = MemoryOfEach(3);
  ASSERT_TRUE(each.ok()) << each.status().message();
  EXPECT_EQ(each->queued_bytes, 2u << 20);
  EXPECT_EQ(each->cache_bytes, 2u << 20);
}

TEST_F(IndexMemoryTest, WithoutItEachIndexHasWhatItsOwnFlagsSay) {
  SetFlag("max_queued_mb", "3", /*typed=*/true);
  SetFlag("state_cache_mb", "5", /*typed=*/false);
  const Result<IndexMemory> each = MemoryOfEach(7);
  ASSERT_TRUE(each.ok()) << each.status().message();
  EXPECT_EQ(each->queued_bytes, 3u << 20);
  EXPECT_EQ(each->cache_bytes, 5u << 20);
}

TEST_F(IndexMemoryTest, BothWaysTogetherAreRefused) {
  for (const char* part : {"max_queued_mb", "state_cache_mb"}) {
    gflags::FlagSaver before;
    SetFlag("memory_mb", "128", /*typed=*/true);
    SetFlag(part, "64", /*typed=*/false);  // the default, but said
    EXPECT_EQ(MemoryOfEach(1).status().code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(MemoryOfEach(1).status().message(), HasSubstr(std::string("does not go with --") + part));
  }
}

TEST_F(IndexMemoryTest, LessThanAMegabyteForAQueueIsRefused) {
  SetFlag("memory_mb", "5", /*typed=*/true);
  EXPECT_TRUE(MemoryOfEach(2).ok());
  EXPECT_EQ(MemoryOfEach(3).status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(MemoryOfEach(3).status().message(), HasSubstr("too little for 3 indexes, which need at least 6"));
}

}  // namespace
}  // namespace fensi::cli
