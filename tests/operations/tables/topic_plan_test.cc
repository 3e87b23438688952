#include "operations/tables/topic_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

TopicPlan Existing() {
  TopicPlan plan;
  plan.wanted = {"guanzhu", 5, 3};
  plan.exists = true;
  plan.found.partitions = 4;
  plan.found.replicas = 1;
  return plan;
}

TEST(FaultOfAsked, SaysWhatWasAskedForAndIsNotThere) {
  EXPECT_THAT(FaultOfAsked(Existing(), 5, std::nullopt), HasSubstr("--partitions 5 was given"));
  EXPECT_THAT(FaultOfAsked(Existing(), std::nullopt, 3), HasSubstr("--replication 3 was given"));
}

TEST(FaultOfAsked, IsSilentAboutWhatWasNotAskedForOrIsThere) {
  EXPECT_EQ(FaultOfAsked(Existing(), std::nullopt, std::nullopt), "");
  EXPECT_EQ(FaultOfAsked(Existing(), 4, 1), "");
  EXPECT_EQ(FaultOfAsked(TopicPlan{{"guanzhu", 5, 3}}, 5, 3), "");
}

TEST(RequestsTopic, HasThePartitionsOfTheStreamThatIsThereOrWillBe) {
  const WantedTopic requests{TopicUse::kRequests, RequestsTopic("fensi.requests", 5, 3), "guanzhu"};
  EXPECT_EQ(PartitionsBeside(requests, {Existing()}), 4);
  EXPECT_EQ(PartitionsBeside(requests, {TopicPlan{{"guanzhu", 7, 3}}}), 7);
  EXPECT_EQ(requests.spec.configs.at("cleanup.policy"), "delete");
  EXPECT_EQ(requests.spec.configs.at("retention.ms"), "86400000");
  EXPECT_EQ(requests.spec.configs.at("min.insync.replicas"), "2");
}

TEST(RequestsTopic, WithOtherPartitionsIsAFault) {
  EXPECT_THAT(FaultOfRequests(Existing(), 5), HasSubstr("the change stream has 5 partitions"));
  EXPECT_EQ(FaultOfRequests(Existing(), 4), "");
  EXPECT_EQ(FaultOfRequests(TopicPlan{{"fensi.requests", 5, 3}}, 4), "") << "it is not there";
}

TEST(ChangelogTopic, IsCompactedAndHasThePartitionsOfTheStream) {
  const WantedTopic changelog{TopicUse::kChangelog, ChangelogTopic("rows.changelog", 5, 3), "guanzhu"};
  EXPECT_EQ(PartitionsBeside(changelog, {Existing()}), 4);
  EXPECT_EQ(changelog.spec.configs.at("cleanup.policy"), "compact");
  EXPECT_EQ(changelog.spec.configs.at("min.insync.replicas"), "2");
}

TEST(PlanText, TellsPartitionsAndReplicasOfAnExistingTopic) {
  EXPECT_EQ(PlanText(Existing()), "topic guanzhu: exists with 4 partitions, 1 replica\n");
}

}  // namespace
}  // namespace fensi::operations
