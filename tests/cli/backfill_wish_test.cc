// Who joins a backfill that is there: with an embedded store nobody could wake one that is paused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/backfill/wish.h"
#include "tests/sweep/support/backfill_world.h"

namespace fensi::cli {
namespace {

using sweep::MustBe;

TEST(JoinJob, APausedOneIsToldAtOnceWhereNobodyCouldWakeIt) {
  sweep::BackfillWorld world;
  BackfillWish wish;
  const auto join = [&] { return JoinJob(world.Row(), wish, sweep::BackfillWorld::kIncarnation, {{"", ""}}, 7); };
  const auto made = join();
  MustBe(made.status());
  MustBe(sweep::Board(world.Row(), made->name).Steer({sweep::Wish::kPause, 0, 0}));
  MustBe(join().status());
  wish.alone = true;
  const Status told = join().status();
  EXPECT_EQ(told.code(), StatusCode::kConfiguration);
  EXPECT_THAT(told.message(), testing::HasSubstr("is paused, and while this process has the store nobody could tell"));
  EXPECT_THAT(told.message(), testing::HasSubstr("--resume"));
}

}  // namespace
}  // namespace fensi::cli
