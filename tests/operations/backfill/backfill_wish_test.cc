// Who joins a backfill that is there: with an embedded store nobody could wake one that is paused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operations/backfill/begin_wait.h"
#include "operations/backfill/wish.h"
#include "tests/doubles/fake_clock.h"
#include "tests/sweep/support/backfill_world.h"

namespace fensi::operations {
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
  EXPECT_THAT(told.message(), ::testing::HasSubstr("is paused. Only one process can open an embedded store"));
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
std::chrono::milliseconds Waited(std::chrono::seconds most) {
  FakeClock clock;
  const auto began = clock.MonotonicNow();
  BeginWait wait(most, &clock);
  while (wait.GoesOn("for a test")) continue;
  return clock.MonotonicNow() - began;
}

TEST(BeginWait, IsAsLongAsIsSaidAndNoneForAPlan) {
  EXPECT_EQ(Waited(std::chrono::seconds(30)), std::chrono::seconds(30));
  EXPECT_EQ(Waited(std::chrono::seconds(0)), std::chrono::seconds(0));
}

BackfillOptions Rows(const std::string& start, const std::string& stop, const std::string& prefix) {
  return {.start_row = start, .stop_row = stop, .prefix = prefix};
}

TEST(AskedBackfill, RowsAreARangeOrAPrefix) {
  EXPECT_EQ(AskedBackfill(Rows("a", "b\\x00", ""))->rows.stop, std::string("b\0", 2));
  EXPECT_EQ(AskedBackfill(Rows("", "", "a"))->rows.start, "a");
  EXPECT_EQ(AskedBackfill(Rows("", "", "a"))->rows.stop, "b");
  EXPECT_TRUE(AskedBackfill({})->whole());
  EXPECT_EQ(AskedBackfill(Rows("a", "", "b")).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(AskedBackfill(Rows("b", "a", "")).status().code(), StatusCode::kInvalidArgument);
}

TEST(AskedBackfill, OneThingIsDoneAtATime) {
  EXPECT_TRUE(AskedBackfill({.execute = true}).ok());
  EXPECT_EQ(AskedBackfill({.execute = true, .cancel = true}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(AskedBackfill({.from = "7", .to = "7"}).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fensi::operations
