// The rate in a line of progress is that of the last ten seconds, and an index that is idle is told once.
#include "daemon/status/progress.h"

#include <gtest/gtest.h>

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RecentRateTest, IsThatOfTheLastTenSecondsAndDoesNotDecay) {
  RecentRate rate;
  rate.Next(0, seconds(100));
  EXPECT_EQ(rate.Next(5000, seconds(110)), 500);
  EXPECT_EQ(rate.Next(5000, seconds(120)), 0) << "nothing came in these ten seconds";
  EXPECT_EQ(rate.Next(5010, seconds(130)), 1);
}

TEST(RecentRateTest, IsTheSameWhenItIsDrawnTwiceInASecond) {
  RecentRate rate;
  double last = rate.Next(0, milliseconds(0));
  for (int half = 1; half <= 100; ++half) last = rate.Next(half * 50, milliseconds(500 * half));
  EXPECT_EQ(last, 100);
  for (int half = 101; half <= 120; ++half) last = rate.Next(5000, milliseconds(500 * half));
  EXPECT_EQ(last, 0) << "ten seconds after the last event";
}

TEST(IdleLinesTest, AnIdleIndexIsToldOnce) {
  IdleLines lines;
  int told = 0;
  for (int line = 1; line <= 8640; ++line) told += lines.IsNew({.events = 7}, seconds(10 * line)) ? 1 : 0;
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(lines.IsNew({.events = 8}, seconds(90'000)));
}

TEST(IdleLinesTest, WhatItWaitsForIsToldAtOnceAndAgainNowAndThen) {
  IdleLines lines;
  int told = 0;
  (void)lines.IsNew({.events = 7}, seconds(0));
  for (int line = 1; line <= 31; ++line) {
    told += lines.IsNew({.events = 7, .waiting = "broker is unreachable since  s"}, seconds(10 * line)) ? 1 : 0;
  }
  EXPECT_EQ(told, 6) << "at once, and after each of five minutes";
  EXPECT_TRUE(lines.IsNew({.events = 7}, seconds(320))) << "that it is over";
}

}  // namespace
}  // namespace fensi::daemon
