#include "operations/access/stores.h"

#include <gtest/gtest.h>

#include "indexer/index_meta.h"
#include "indexer/tables.h"
#include "operations/verify/incarnation.h"
#include "support/sweep_world.h"

namespace fensi::operations {
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
  const auto begin = world.clock()->MonotonicNow();
  EXPECT_EQ(RegionStartsOf(world.faulty(), world.index().source_table(), world.clock()).status().code(),
            StatusCode::kUnavailable);
  EXPECT_EQ(world.clock()->MonotonicNow() - begin, kFirstContact);
}

/// As 'fensi create' and 'fensi run' make it.
void Begin(sweep::SweepWorld* world) {
  const indexer::TablePlan plan = indexer::StateTablePlan(world->index(), {""});
  sweep::MustBe(world->store()->CreateTable(plan.table, plan.split_keys));
  sweep::MustBe(indexer::IndexMeta(&world->index(), world->store()).Open());
}

TEST(CheckStillThe, AnIndexThatWasMadeAnewMeanwhileIsNamed) {
  sweep::SweepWorld world(sweep::FollowIndex());
  EXPECT_EQ(*IncarnationOf(world.index(), world.store()), "");
  EXPECT_TRUE(CheckStillThe(world.index(), "", world.store()).ok());
  Begin(&world);
  const std::string first = *IncarnationOf(world.index(), world.store());
  EXPECT_FALSE(first.empty());
  EXPECT_TRUE(CheckStillThe(world.index(), first, world.store()).ok());
  sweep::MustBe(world.store()->DropTable(world.index().state_table()));
  const Status gone = CheckStillThe(world.index(), first, world.store());
  EXPECT_EQ(gone.code(), StatusCode::kConfiguration);
  EXPECT_NE(gone.message().find("was dropped, or its record was deleted"), std::string::npos) << gone.message();
  Begin(&world);
  const Status status = CheckStillThe(world.index(), first, world.store());
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_NE(status.message().find("was dropped and created again while this command ran"), std::string::npos);
}

}  // namespace
}  // namespace fensi::operations
