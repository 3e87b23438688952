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

}  // namespace
}  // namespace fensi::consumer
