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
  const auto join = [&] { return JoinJob(world.Row(), wish, sweep::BackfillWorld::kIncarnation, {{"", ""}}, 7, ""); };
  const auto made = join();
  MustBe(made.status());
  MustBe(sweep::Board(world.Row(), made->name).Steer({sweep::Wish::kPause, 0, 0}));
  MustBe(join().status());
  wish.alone = true;
  const Status told = join().status();
  EXPECT_EQ(told.code(), StatusCode::kConfiguration);
  EXPECT_THAT(told.message(),
              ::testing::HasSubstr("is paused, and while this process has the store nobody could tell"));
  EXPECT_THAT(told.message(), ::testing::HasSubstr("--resume"));
}

TEST(JoinJob, WhoJoinsKnowsTheLossesOfBeforeTheJobAndNotThoseOfNow) {
  sweep::BackfillWorld world;
  BackfillWish wish;
  const auto losses = [&](const std::string& now) {
    const auto job = JoinJob(world.Row(), wish, sweep::BackfillWorld::kIncarnation, {{"", ""}}, 7, now);
    MustBe(job.status());
    return job->losses;
  };
  EXPECT_EQ(losses("0: 5 7"), "0: 5 7");
  EXPECT_EQ(losses("0: 5 9"), "0: 5 7");
  sweep::BackfillWorld other;
  MustBe(JoinJob(other.Row(), wish, sweep::BackfillWorld::kIncarnation, {{"", ""}}, 7, "").status());
  EXPECT_EQ(JoinJob(other.Row(), wish, sweep::BackfillWorld::kIncarnation, {{"", ""}}, 8, "0: 5 9")->losses, "");
}

}  // namespace
}  // namespace fensi::cli
