#include "consumer/kafka/group/sole_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using Step = SoleReader::Step;

constexpr PollTime kNow{1'000'000};

SoleReader Reader() { return {/*needed=*/true, "changes", "index"}; }

/// It had all partitions, and somebody else has joined.
SoleReader Joined() {
  SoleReader reader = Reader();
  reader.Assigned(true);
  EXPECT_TRUE(reader.MayRead(2, 2));
  reader.Revoked();
  reader.Assigned(true);
  EXPECT_FALSE(reader.MayRead(1, 2));
  return reader;
}

TEST(SoleReader, WhereNoneIsNeededAnyPartIsRead) {
  SoleReader reader(/*needed=*/false, "changes", "index");
  reader.Assigned(false);
  EXPECT_FALSE(reader.waits());
  EXPECT_TRUE(reader.MayRead(1, 2));
  EXPECT_FALSE(reader.waits());
  EXPECT_EQ(reader.Next(kNow).step, Step::kNone);
}

TEST(SoleReader, WhoGetsAPartLeavesAndComesBack) {
  SoleReader reader = Reader();
  reader.Assigned(true);
  EXPECT_FALSE(reader.MayRead(1, 2));
  const SoleReader::Turn left = reader.Next(kNow);
  EXPECT_EQ(left.step, Step::kLeave);
  EXPECT_THAT(left.standing.value(), HasSubstr("standing by"));
  EXPECT_TRUE(reader.waits());
  EXPECT_EQ(reader.Next(kNow + SoleReader::kFirstPause - PollTime(1)).step, Step::kNone);
  const SoleReader::Turn back = reader.Next(kNow + 2 * SoleReader::kFirstPause);
  EXPECT_EQ(back.step, Step::kJoin);
  EXPECT_EQ(back.standing, "");
  EXPECT_FALSE(reader.waits());
}

TEST(SoleReader, WhoGetsNothingLeavesToo) {
  SoleReader reader = Reader();
  reader.Assigned(false);
  EXPECT_EQ(reader.Next(kNow).step, Step::kLeave);
}

TEST(SoleReader, PausesGrowUpToABoundAndBeginAnewAfterAllWereHad) {
  SoleReader reader = Reader();
  const auto pause = [&] {
    reader.Assigned(false);
    EXPECT_EQ(reader.Next(kNow).step, Step::kLeave);
    PollTime time{0};
    while (reader.Next(kNow + time).step != Step::kJoin) time += PollTime(100);
    return time;
  };
  EXPECT_LE(pause(), 2 * SoleReader::kFirstPause);
  for (int i = 0; i < 10; ++i) (void)pause();
  const PollTime longest = pause();
  EXPECT_GE(longest, SoleReader::kLongestPause);
  EXPECT_LE(longest, SoleReader::kLongestPause + SoleReader::kFirstPause + PollTime(100));
  EXPECT_TRUE(reader.MayRead(2, 2));
  reader.Lost();
  EXPECT_LE(pause(), 2 * SoleReader::kFirstPause);
}

TEST(SoleReader, WhoHadAllWaitsForTheOtherToLeave) {
  SoleReader reader = Joined();
  const SoleReader::Turn turn = reader.Next(kNow);
  EXPECT_EQ(turn.step, Step::kNone);
  EXPECT_THAT(turn.standing.value(), HasSubstr("waiting until the member that has just joined"));
  EXPECT_TRUE(reader.waits());
  reader.Revoked();
  reader.Assigned(true);
  EXPECT_TRUE(reader.MayRead(2, 2));
  EXPECT_FALSE(reader.waits());
}

TEST(SoleReader, WhoLostThemIsNotWaitedFor) {
  SoleReader reader = Joined();
  reader.Lost();
  EXPECT_EQ(reader.Next(kNow).step, Step::kLeave);
}

}  // namespace
}  // namespace fensi::consumer
