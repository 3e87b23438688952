#include "consumer/kafka/group/batch_pace.h"

#include <gtest/gtest.h>

namespace fensi::consumer {
namespace {

constexpr size_t kUsual = 100;
constexpr size_t kMost = 1'000;

/// After batches of so many messages, which took so many milliseconds each.
size_t After(std::initializer_list<std::pair<size_t, int>> batches) {
  BatchPace pace;
  for (const auto& [records, millis] : batches) pace.Note(records, PollTime(millis));
  return pace.records(kUsual, kMost);
}

TEST(BatchPaceTest, TheFirstBatchesAreAsLargeAsUsual) {
  EXPECT_EQ(After({}), kUsual);
  EXPECT_EQ(After({{100, 10}}), kUsual);
  EXPECT_EQ(After({{100, 10}, {100, 10}}), kUsual);
  EXPECT_EQ(After({{100, 10}, {100, 10}, {100, 10}}), 2 * kUsual);
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

TEST(BatchPaceTest, SlowBatchesAndSmallOnesAreFollowedByUsualOnes) {
  EXPECT_EQ(After({{100, 5'000}, {100, 5'000}, {100, 5'000}}), kUsual);
  EXPECT_EQ(After({{1, 20}, {1, 20}, {1, 20}}), kUsual) << "nearly all of it is waiting, which says little";
}

TEST(BatchPaceTest, ABatchThatTookNoTimeOnTheClockIsAQuickOne) {
  EXPECT_EQ(After({{100, 0}, {100, 0}, {100, 0}}), 2 * kUsual);
}

}  // namespace
}  // namespace fensi::consumer
