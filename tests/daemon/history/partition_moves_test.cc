#include "daemon/history/partition_moves.h"

#include <gtest/gtest.h>

namespace fensi::daemon {
namespace {

using consumer::PartitionState;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// One partition, of whose log the end is told each second.
class PartitionMovesTest : public ::testing::Test {
 protected:
  void Pass(int count) {
    for (int i = 0; i < count; ++i) {
      now_ += seconds(1);
      if (told_) state_.end_told = now_.count();
      moves_.Note({state_}, now_);
    }
  }
  std::string Word(bool paused = false) const { return moves_.WordOf(state_, paused, now_.count(), now_); }

  PartitionMoves moves_;
  PartitionState state_{.partition = 3, .applied = 10, .log_end = 10};
  milliseconds now_{1'700'000'000'000};
  bool told_ = true;
};

TEST_F(PartitionMovesTest, AtTheEndOfItsLogAllIsWell) {
  Pass(1);
  EXPECT_EQ(Word(), "ok");
  Pass(3600);
  EXPECT_EQ(Word(), "ok");
}

TEST_F(PartitionMovesTest, WhatWaitsIsBehindAndStalledWhenNothingIsAppliedForAMinute) {
  Pass(3600);
  state_.log_end = 20;
  Pass(1);
  EXPECT_EQ(Word(), "behind") << "an hour without events is no stall";
  Pass(58);
  EXPECT_EQ(Word(), "behind");
  Pass(2);
  EXPECT_EQ(Word(), "stalled");
  state_.applied = 11;
  EXPECT_EQ(Word(), "behind") << "it moved since the last look";
  Pass(1);
  EXPECT_EQ(Word(), "behind");
  Pass(61);
  EXPECT_EQ(Word(), "stalled");
}

TEST_F(PartitionMovesTest, APausedIndexStallsNothing) {
  state_.log_end = 20;
  Pass(120);
  EXPECT_EQ(Word(true), "paused");
}

TEST_F(PartitionMovesTest, WithoutWordOfTheLogsEndNobodyKnows) {
  EXPECT_EQ(Word(), "unknown");
  Pass(1);
  told_ = false;
  Pass(10);
  EXPECT_EQ(Word(), "ok");
  Pass(1);
  EXPECT_EQ(Word(), "unknown");
}

TEST_F(PartitionMovesTest, APartitionThatComesBackBeginsAnew) {
  state_.log_end = 20;
  Pass(100);
  EXPECT_EQ(Word(), "stalled");
  moves_.Note({}, now_);
  EXPECT_EQ(Word(), "behind");
  Pass(1);
  EXPECT_EQ(Word(), "behind");
}

}  // namespace
}  // namespace fensi::daemon
