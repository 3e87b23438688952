// Who joins a backfill that is there: with an embedded store nobody could wake one that is paused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/backfill/begin_wait.h"
#include "cli/backfill/wish.h"
#include "cli/flags/flags.h"
#include "tests/doubles/fake_clock.h"
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

/// How long a backfill waits for what does not come.
std::chrono::milliseconds Waited(bool execute, int seconds) {
  FLAGS_execute = execute;
  FLAGS_begin_wait_s = seconds;
  FakeClock clock;
  const auto began = clock.SinceBoot();
  BeginWait wait(&clock);
  while (wait.GoesOn("for a test")) continue;
  FLAGS_execute = false;
  return clock.SinceBoot() - began;
}

TEST(BeginWait, IsAsLongAsTheFlagSaysAndNoneForAPlan) {
  EXPECT_EQ(Waited(true, 30), std::chrono::seconds(30));
  EXPECT_EQ(Waited(true, 0), std::chrono::seconds(0));
  EXPECT_EQ(Waited(false, 30), std::chrono::seconds(0));
}

}  // namespace
}  // namespace fensi::cli
