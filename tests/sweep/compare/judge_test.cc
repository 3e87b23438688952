// M18 on scripted histories: what changes while it is looked at is no difference, and what differs is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sweep_world.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using store::FaultyStore;

class JudgeTest : public ::testing::Test {
 protected:
  JudgeTest() : world_(FollowIndex()) {
    world_.PutSource("a", "f1:from", "b");
    world_.PutSource("c", "f1:from", "d");
    for (const char* row : {"a", "c"}) world_.Index(row);
  }

  /// Runs before the n-th read of cells of a table (1: the first).
  void BeforeGet(const std::string& table, int n, std::function<void()> change) {
    plans_.push_back({table, n, std::move(change)});
    world_.faulty()->SetObserver([this](FaultyStore::Call call, const std::string& name) {
      if (call != FaultyStore::Call::kGet) return Status();
      ++reads_[name];
      for (const Plan& plan : plans_) {
        if (plan.table == name && plan.n == reads_[name]) plan.change();
      }
      return Status();
    });
  }

  struct Plan {
    std::string table;
    int n;
    std::function<void()> change;
  };
  SweepWorld world_;
  std::vector<Plan> plans_;
  std::map<std::string, int> reads_;
};

CompareOptions ForwardOnly() {
  CompareOptions options;
  options.backward = false;
  return options;
}

TEST_F(JudgeTest, WhatIsMissingIsFound) {
  world_.RemoveCell(Follower("b", "a"));
  EXPECT_THAT(world_.Compare(), ElementsAre("missing a -> x_table b f1:a"));
  EXPECT_EQ(world_.counts().good, 1);
}

TEST_F(JudgeTest, AnotherValueIsFound) {
  world_.PutCell(Follower("b", "a", "7"));
  EXPECT_THAT(world_.Compare(), ElementsAre("content_differs a -> x_table b f1:a"));
  EXPECT_EQ(world_.found().findings[0].expected, "1");
  EXPECT_EQ(world_.found().findings[0].found, "7");
}

TEST_F(JudgeTest, AnOrphanIsFound) {
  world_.PutCell(Follower("b", "c"));
  EXPECT_THAT(world_.Compare(), ElementsAre("orphan c -> x_table b f1:c"));
}

// The index reads are those of the forward way, and one a round.
TEST_F(JudgeTest, ARowThatHasAnEntryForAMomentInEachRoundHasNoOrphan) {
  world_.PutCell(Follower("b", "c"), 20);
  BeforeGet("x_table", 3, [this] { world_.PutCell(Follower("b", "c"), 30); });  // put again, and not removed yet
  BeforeGet("x_table", 4, [this] { world_.RemoveCell(Follower("b", "c"), 30); });
  EXPECT_THAT(world_.Compare(), IsEmpty());
  EXPECT_EQ(reads_["x_table"], 4);
}

// The index reads follow: forward 1, then 2 and 3 by the judge; the source: 1 and 2 of the first round, 3 and 4.
TEST_F(JudgeTest, AnIndexThatFollowsWithinTheWaitIsNotMissing) {
  world_.RemoveCell(Follower("b", "a"), 11);
  world_.clock()->on_sleep = [this] { world_.PutCell(Follower("b", "a"), 12); };
  EXPECT_THAT(world_.Compare(ForwardOnly()), IsEmpty());
  EXPECT_EQ(world_.counts().in_flight, 1);
}

TEST_F(JudgeTest, ARowThatChangesAndChangesBackWithinARoundIsNoFinding) {
  // At each look of the first round the index shows that the row was another for a moment.
  BeforeGet("x_table", 1, [this] { world_.RemoveCell(Follower("b", "a"), 11); });
  BeforeGet("x_table", 3, [this] { world_.PutCell(Follower("b", "a"), 12); });
  EXPECT_THAT(world_.Compare(ForwardOnly()), IsEmpty());
  EXPECT_EQ(world_.counts().in_flight, 1);
}

TEST_F(JudgeTest, ARowThatMovesBetweenTheLooksOfARoundBeginsAgain) {
  // The row is another one before each of three looks at the index, which has followed; then it stands still.
  const auto moves_to = [this](const std::string& to, int64_t time) {
    return [this, to, time] {
      world_.RemoveCell(Follower("b", "a"), time);
      world_.PutSource("a", "f1:from", to, time);
      world_.Index("a", time);
    };
  };
  const auto moves_back = [this](int64_t time) {
    return [this, time] {
      for (const char* other : {"e", "f", "g"}) world_.RemoveCell(Follower(other, "a"), time);
      world_.PutSource("a", "f1:from", "b", time);
      world_.Index("a", time);
    };
  };
  BeforeGet("x_table", 1, moves_to("e", 20));
  BeforeGet("t", 1, moves_back(30));
  BeforeGet("x_table", 2, moves_to("f", 40));
  BeforeGet("t", 2, moves_back(50));
  BeforeGet("x_table", 3, moves_to("g", 60));
  BeforeGet("t", 4, moves_back(70));
  EXPECT_THAT(world_.Compare(ForwardOnly()), IsEmpty());
  EXPECT_EQ(world_.counts().in_flight, 1);
}

TEST_F(JudgeTest, TheTwoRoundsFollowOneAnother) {
  BeforeGet("x_table", 1, [this] { world_.RemoveCell(Follower("b", "a"), 11); });
  BeforeGet("t", 4, [this] { world_.PutSource("a", "f1:from", "b", 50); });  // between the looks of the second round
  BeforeGet("x_table", 5, [this] { world_.PutCell(Follower("b", "a", "50"), 51); });
  EXPECT_THAT(world_.Compare(ForwardOnly()), IsEmpty());
  EXPECT_EQ(reads_["x_table"], 5);
}

TEST_F(JudgeTest, ARowThatNeverStandsStillIsUndecidedAfterFiveTries) {
  world_.RemoveCell(Follower("b", "a"), 11);
  for (int n = 1; n < 30; ++n) {
    BeforeGet("t", n, [this, n] { world_.PutSource("a", "f1:from", "b", 100 + n); });
  }
  EXPECT_THAT(world_.Compare(ForwardOnly()), ElementsAre("undecided a -> x_table b f1:a"));
  EXPECT_EQ(reads_["t"], 10);
}

TEST_F(JudgeTest, WaitingSuspectsDoNotStopTheScan) {
  for (int i = 0; i < 3000; ++i) world_.PutSource("s" + std::to_string(i), "f1:from", "m");
  world_.clock()->on_sleep = [this] { EXPECT_EQ(world_.counts().rows, 3002); };
  EXPECT_EQ(world_.Compare(ForwardOnly()).size(), size_t{3000});
}

TEST_F(JudgeTest, TheScanWaitsWhenSuspectsAreAsManyAsTheyMayBe) {
  for (int i = 0; i < 500; ++i) world_.PutSource("s" + std::to_string(i), "f1:from", "m");
  CompareOptions options = ForwardOnly();
  options.judge.max_suspects = 10;
  int64_t most = 0;
  world_.clock()->on_sleep = [&] { most = std::max<int64_t>(most, world_.counts().open); };
  EXPECT_EQ(world_.Compare(options).size(), size_t{500});
  EXPECT_EQ(most, 10);
  EXPECT_EQ(world_.counts().open, 0);
}

TEST_F(JudgeTest, WhoIsAskedToStopDoesNotWait) {
  world_.RemoveCell(Follower("b", "a"));
  CompareOptions options;
  options.judge.recheck = std::chrono::hours(1);
  options.judge.go_on = [this] {
    const bool late = world_.clock()->MonotonicNow() > std::chrono::seconds(10);
    return late ? Status(StatusCode::kCancelled, "stopped") : Status();
  };
  EXPECT_THAT(world_.Compare(options), ElementsAre("! stopped"));
}

/// As a daemon that was killed and follows 40 s later.
void FollowLate(SweepWorld* world, const std::function<void()>& tell) {
  world->clock()->on_sleep = [world, tell] {
    if (world->clock()->MonotonicNow() < std::chrono::seconds(40)) return;
    world->PutCell(Follower("b", "a"), 12);
    tell();
  };
}

TEST_F(JudgeTest, WhatTheIndexHasNotFollowedYetIsNotMissing) {
  world_.RemoveCell(Follower("b", "a"), 11);
  world_.RemoveCell(Follower("d", "c"), 11);
  int64_t complete = world_.clock()->WallMillis() - 1;
  FollowLate(&world_, [&] { complete = world_.clock()->WallMillis(); });
  CompareOptions options = ForwardOnly();
  options.judge.followed = [&](int64_t time) { return complete > time; };
  EXPECT_THAT(world_.Compare(options), ElementsAre("missing c -> x_table d f1:c"));
  EXPECT_EQ(world_.counts().in_flight, 1);
}

TEST_F(JudgeTest, WhoIsAskedToStopDoesNotWaitForAnIndexThatDoesNotFollow) {
  world_.RemoveCell(Follower("b", "a"));
  CompareOptions options;
  options.judge.followed = [](int64_t) { return false; };
  options.judge.go_on = [this] {
    const bool late = world_.clock()->MonotonicNow() > std::chrono::seconds(10);
    return late ? Status(StatusCode::kCancelled, "stopped") : Status();
  };
  EXPECT_THAT(world_.Compare(options), ElementsAre("! stopped"));
}

TEST_F(JudgeTest, AMarkThatCannotBeReadEndsIt) {
  world_.RemoveCell(Follower("b", "a"));
  CompareOptions options;
  options.judge.followed = [](int64_t) { return Status(StatusCode::kUnavailable, "no gateway"); };
  EXPECT_THAT(world_.Compare(options), ElementsAre("! no gateway"));
}

TEST_F(JudgeTest, AReportThatCannotBeWrittenEndsIt) {
  // A sink that refuses is tried by the command's tests, too.
  world_.RemoveCell(Follower("b", "a"));
  FindingList full;
  full.status = Status(StatusCode::kInternal, "no space left");
  Comparison comparison(&world_.index(), world_.store(), world_.clock(), {}, &full);
  EXPECT_EQ(comparison.Run().message(), "no space left");
}

}  // namespace
}  // namespace fensi::sweep
