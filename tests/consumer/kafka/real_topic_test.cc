// What the mock cluster cannot do, on the real Kafka of the development stack: topics, configurations, group offsets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "consumer/codec/event_codec.h"
#include "consumer/kafka/event_producer.h"
#include "consumer/kafka/topic_admin.h"
#include "tests/consumer/kafka/source_fixture.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

template <typename T>
std::unique_ptr<T> Made(Result<std::unique_ptr<T>> made) {
  EXPECT_TRUE(made.ok()) << made.status().ToString();
  return made.ok() ? std::move(made.value()) : nullptr;
}

class RealTopicTest : public ::testing::Test {
 protected:
  RealTopicTest() {
    const char* brokers = std::getenv("FENSI_TEST_KAFKA");  // NOLINT(concurrency-mt-unsafe)
    EXPECT_NE(brokers, nullptr) << "FENSI_TEST_KAFKA names the broker (deploy/devstack env)";
    cluster_.brokers = brokers == nullptr ? "127.0.0.1:1" : brokers;
    admin_ = Made(TopicAdmin::Create(cluster_, seconds(30)));
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    topic_ = "consumer-" + test + "-" + std::to_string(getpid()) + "-" + std::to_string(SystemClock()->WallMillis());
  }

  void MakeTopic(int32_t partitions, std::map<std::string, std::string> configs = {}) {
    const Status status = admin_->CreateTopic({topic_, partitions, 1, std::move(configs)});
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_TRUE(Eventually([&] { return admin_->Partitions(topic_).ok(); }));
  }
  void Fill(int64_t count) {
    auto producer = Made(EventProducer::Create({.cluster = cluster_}));
    for (int64_t i = 0; i < count; ++i) {
      const ChangeEvent event{.table = "t", .row = "r" + std::to_string(i), .cells = {{.family = "f", .timestamp = i}}};
      ASSERT_TRUE(producer->SendEvent(topic_, event).ok());
    }
    const Status status = producer->Flush();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::unique_ptr<KafkaSource> Source(bool until_end = false) {
    KafkaSourceOptions options;
    options.cluster = cluster_;
    options.topic = options.group = topic_;
    options.until_end = until_end;
    options.commit_interval = seconds(3600);  // commits come from revokes and the end only
    return Made(KafkaSource::Create(options));
  }
  int64_t Committed() {
    int64_t sum = 0;
    const auto offsets = admin_->CommittedOffsets(topic_, topic_);
    EXPECT_TRUE(offsets.ok()) << offsets.status().ToString();
    for (const std::optional<int64_t>& offset : *offsets) sum += offset.value_or(0);
    return sum;
  }

  KafkaCluster cluster_;
  std::unique_ptr<TopicAdmin> admin_;
  std::string topic_;
};

TEST_F(RealTopicTest, ACreatedTopicIsAsDescribedAndNotCreatedTwice) {
  MakeTopic(3, {{"retention.ms", "60000"}});
  const auto description = admin_->Describe(topic_);
  ASSERT_TRUE(description.ok()) << description.status().ToString();
  EXPECT_EQ(description->partitions, 3);
  EXPECT_EQ(description->cleanup_policy, "delete");
  EXPECT_EQ(admin_->CreateTopic({topic_, 3, 1, {}}).code(), StatusCode::kAlreadyExists);
}

TEST_F(RealTopicTest, ATopicThatIsNotThereIsNotCreatedByLookingOrSending) {
  EXPECT_EQ(admin_->Partitions(topic_).status().code(), StatusCode::kNotFound);
  auto producer = Made(EventProducer::Create({.cluster = cluster_}));
  EXPECT_EQ(producer->Send(topic_, "k", "v").code(), StatusCode::kNotFound);
  EXPECT_EQ(Source()->WaitReachable(seconds(60)).code(), StatusCode::kNotFound);
  EXPECT_EQ(admin_->Partitions(topic_).status().code(), StatusCode::kNotFound);
}

TEST_F(RealTopicTest, ACompactedTopicIsRefused) {
  MakeTopic(1, {{"cleanup.policy", "compact"}});
  const Status status = Source()->WaitReachable(seconds(60));
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("cleanup.policy=compact"));
}

TEST_F(RealTopicTest, OffsetsOfAStoppedGroupAreMovedAndThoseOfARunningOneNot) {
  MakeTopic(2);
  Fill(100);
  const auto source = Source(/*until_end=*/true);
  Worker worker(source.get());
  ASSERT_TRUE(worker.Join().ok());
  EXPECT_TRUE(admin_->DescribeGroup(topic_)->active());
  EXPECT_THAT(admin_->AlterOffsets(topic_, topic_, {{0, 0}}).message(), HasSubstr("running members"));
  EXPECT_TRUE(source->Close().ok());
  EXPECT_EQ(Committed(), 100);
  ASSERT_TRUE(Eventually([&] { return !admin_->DescribeGroup(topic_)->active(); }));
  const Status moved = admin_->AlterOffsets(topic_, topic_, *admin_->EarliestOffsets(topic_));
  EXPECT_TRUE(moved.ok()) << moved.ToString();
  EXPECT_EQ(Committed(), 0);
}

TEST_F(RealTopicTest, ATimeIsFoundAsTheFirstOffsetFromThenOn) {
  MakeTopic(1);
  Fill(5);
  EXPECT_EQ(admin_->OffsetsAt(topic_, 0)->at(0).offset, 0);
  EXPECT_EQ(admin_->OffsetsAt(topic_, SystemClock()->WallMillis() + 3'600'000)->at(0).offset, 5);
}

TEST_F(RealTopicTest, WhatIsDoneAtARevokeIsCommittedSoThatNothingIsDoneTwice) {
  MakeTopic(4);
  Fill(2000);
  const auto first = Source();
  Worker a(first.get());
  ASSERT_TRUE(Eventually([&] { return a.records() == 2000; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(Eventually([&] { return b.opened().size() == 2 && first->progress().partitions == 2; }));
  EXPECT_EQ(Committed(), 2000);
  Fill(2000);
  ASSERT_TRUE(Eventually([&] { return a.records() + b.records() >= 4000; }));
  EXPECT_EQ(a.records() + b.records(), 4000u);
}

TEST_F(RealTopicTest, AnOffsetThatRetentionHasRemovedEndsAsAGap) {
  MakeTopic(1);
  Fill(10);
  const auto source = Source();
  const Opening opening = std::get<Opening>(source->Next());
  ASSERT_TRUE(source->Begin(opening.assignment, opening.log_end + 5).ok());
  EXPECT_EQ(std::get<End>(source->Next()).status.code(), StatusCode::kGap);
}

}  // namespace
}  // namespace fensi::consumer
