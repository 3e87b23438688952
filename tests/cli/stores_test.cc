#include "cli/access/stores.h"

#include <gtest/gtest.h>

#include "support/sweep_world.h"

namespace fensi::cli {
namespace {

using store::FaultyStore;

TEST(RegionStartsOf, AreAskedForAgainWhileRegionsMove) {
  sweep::SweepWorld world(sweep::FollowIndex());
  for (int call : {1, 2}) {
    world.faulty()->FailCall(call, FaultyStore::When::kBefore, FaultyStore::Lost(), FaultyStore::Call::kRegionStarts);
  }
  EXPECT_TRUE(RegionStartsOf(world.faulty(), world.index().source_table(), world.clock()).ok());
}

TEST(RegionStartsOf, AreGivenUpWhenNobodyTellsThem) {
  sweep::SweepWorld world(sweep::FollowIndex());
  world.faulty()->FailAlways();
  const auto begin = world.clock()->SinceBoot();
  EXPECT_EQ(RegionStartsOf(world.faulty(), world.index().source_table(), world.clock()).status().code(),
            StatusCode::kUnavailable);
  EXPECT_EQ(world.clock()->SinceBoot() - begin, kFirstContact);
}

}  // namespace
}  // namespace fensi::cli
