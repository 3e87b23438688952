#include "consumer/kafka/group/offset_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fensi::consumer {
namespace {

TEST(OffsetTracker, EveryOrderOfDonesEndsAtTheSameOffset) {
  std::vector<int64_t> ends = {3, 4, 10, 11, 50};
  do {
    OffsetTracker tracker(0);
    for (const int64_t end : {3, 4, 10, 11, 50}) tracker.HandedOut(end);
    for (const int64_t end : ends) tracker.Done(end);
    EXPECT_EQ(tracker.committable(), 50);
  } while (std::next_permutation(ends.begin(), ends.end()));
}

TEST(OffsetTracker, NeverPassesABatchThatIsNotDone) {
  OffsetTracker tracker(7);
  tracker.HandedOut(10);
  tracker.HandedOut(20);
  tracker.Done(20);
  EXPECT_EQ(tracker.committable(), 7);
  tracker.Done(10);
  EXPECT_EQ(tracker.committable(), 20);
}

TEST(OffsetTracker, IgnoresRepetitionsAndUnknownBatches) {
  OffsetTracker tracker(0);
  tracker.HandedOut(5);
  tracker.Done(4);
  EXPECT_EQ(tracker.committable(), 0);
  tracker.Done(5);
  tracker.Done(5);
  EXPECT_EQ(tracker.committable(), 5);
}

using std::chrono::seconds;

TEST(AgedOffsets, KnowWhatTheLogHadAMinuteAgo) {
  AgedOffsets aged(seconds(60));
  EXPECT_EQ(aged.OldBelow(seconds(1'000)), 0);
  aged.Note(seconds(1'000), 7);
  aged.Note(seconds(1'005), 9);
  EXPECT_EQ(aged.OldBelow(seconds(1'059)), 0);
  EXPECT_EQ(aged.OldBelow(seconds(1'060)), 7);
  EXPECT_EQ(aged.OldBelow(seconds(1'064)), 7);
  EXPECT_EQ(aged.OldBelow(seconds(1'065)), 9);
  EXPECT_EQ(aged.OldBelow(seconds(5'000)), 9) << "nothing is known of the offsets above";
}

TEST(AgedOffsets, StayBelowTheTruthIfEndsComeOften) {
  AgedOffsets aged(seconds(60));
  for (int64_t at = 0; at < 300'000; at += 10) {
    aged.Note(std::chrono::milliseconds(at), at);
    const int64_t old = aged.OldBelow(std::chrono::milliseconds(at));
    ASSERT_LE(old, std::max<int64_t>(0, at - 60'000));
    ASSERT_GE(old, at - 62'010);
  }
}

TEST(AgedOffsets, DoNotFall) {
  AgedOffsets aged(seconds(60));
  aged.Note(seconds(0), 9);
  aged.Note(seconds(5), 7);
  EXPECT_EQ(aged.OldBelow(seconds(100)), 9);
}

}  // namespace
}  // namespace fensi::consumer
