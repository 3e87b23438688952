#include <gtest/gtest.h>

#include "consumer/kafka/group/log_turns.h"

namespace fensi::consumer {
namespace {

constexpr size_t kOneChunk = 100;  // or fewer
constexpr size_t kMost = 1'000;

/// After batches of so many messages, which took so many milliseconds each.
size_t After(std::initializer_list<std::pair<size_t, int>> batches) {
  BatchSizer pace;
  for (const auto& [records, millis] : batches) pace.Note(records, PollTime(millis));
  return pace.records(kMost);
}

TEST(BatchPaceTest, TheFirstBatchesAreOneChunk) {
  EXPECT_EQ(After({}), 0u);
  EXPECT_EQ(After({{100, 10}}), 0u);
  EXPECT_EQ(After({{100, 10}, {100, 10}}), 0u);
  EXPECT_EQ(After({{100, 10}, {100, 10}, {100, 10}}), 200u);
}

TEST(BatchPaceTest, ABatchHasAtMostTwiceTheMessagesOfTheOneBeforeAndTheMost) {
  EXPECT_EQ(After({{100, 1}, {200, 1}, {400, 1}}), 800u);
  EXPECT_EQ(After({{400, 1}, {800, 1}, {800, 1}}), kMost);
  EXPECT_EQ(After({{800, 1}, {800, 1}, {60, 1}}), 120u);
}

TEST(BatchPaceTest, ABatchTakesASecondAtMostByTheSlowestOfTheLastThree) {
  EXPECT_EQ(After({{400, 800}, {400, 1}, {400, 1}}), 500u);
  EXPECT_EQ(After({{400, 1}, {400, 800}, {400, 1}}), 500u);
  EXPECT_EQ(After({{400, 1}, {400, 1}, {400, 800}}), 500u);
  EXPECT_EQ(After({{400, 800}, {400, 1}, {400, 1}, {400, 1}}), 800u);
}

TEST(BatchPaceTest, SlowBatchesAndSmallOnesAreFollowedByOneChunk) {
  EXPECT_LE(After({{100, 5'000}, {100, 5'000}, {100, 5'000}}), kOneChunk);
  EXPECT_LE(After({{1, 20}, {1, 20}, {1, 20}}), kOneChunk) << "nearly all of it is waiting, which says little";
}

TEST(BatchPaceTest, ABatchThatTookNoTimeOnTheClockIsAQuickOne) {
  EXPECT_EQ(After({{100, 0}, {100, 0}, {100, 0}}), 200u);
}

}  // namespace
}  // namespace fensi::consumer
