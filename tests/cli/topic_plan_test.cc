#include "cli/planning/topic_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::cli {
namespace {

using testing::HasSubstr;

TopicPlan Existing() {
  TopicPlan plan;
  plan.wanted = {"guanzhu", 5, 3};
  plan.exists = true;
  plan.found.partitions = 4;
  plan.found.replicas = 1;
  return plan;
}

TEST(FaultOfAsked, SaysWhatWasAskedForAndIsNotThere) {
  EXPECT_THAT(FaultOfAsked(Existing(), 5, std::nullopt), HasSubstr("--partitions 5 was asked for"));
  EXPECT_THAT(FaultOfAsked(Existing(), std::nullopt, 3), HasSubstr("--replication 3 was asked for"));
}

TEST(FaultOfAsked, IsSilentAboutWhatWasNotAskedForOrIsThere) {
  EXPECT_EQ(FaultOfAsked(Existing(), std::nullopt, std::nullopt), "");
  EXPECT_EQ(FaultOfAsked(Existing(), 4, 1), "");
  EXPECT_EQ(FaultOfAsked(TopicPlan{{"guanzhu", 5, 3}}, 5, 3), "");
}

TEST(PlanText, TellsPartitionsAndReplicasOfAnExistingTopic) {
  EXPECT_EQ(PlanText(Existing()), "topic guanzhu: exists with 4 partitions, 1 replica\n");
}

}  // namespace
}  // namespace fensi::cli
