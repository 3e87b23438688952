#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/consumer/kafka/source_fixture.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class RebalanceTest : public KafkaSourceTest {
 protected:
  RebalanceTest() {
    options_.max_batch_records = 50;
    MakeTopic(4);
  }
  void FillAll(int64_t count) {
    for (int32_t partition = 0; partition < 4; ++partition) Fill(partition, count);
  }
};

// The mock refuses commits while a group joins (Kafka takes them), so what was done at a revoke may be done again here.
TEST_F(RebalanceTest, ASecondMemberTakesItsShareAndNothingIsLeftOut) {
  FillAll(500);
  const auto first = Source();
  Worker a(first.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return a.records() >= 2000; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(
      EventuallyInGroup([&] { return first->progress().partitions == 2 && second->progress().partitions == 2; }));
  FillAll(500);
  for (int32_t partition = 0; partition < 4; ++partition) {
    std::string left_out;
    EXPECT_TRUE(EventuallyInGroup([&] {
      std::vector<std::string> rows = a.rows(partition);
      for (const std::string& row : b.rows(partition)) rows.push_back(row);
      left_out = WhatIsLeftOut(rows, 1000);
      return left_out.empty();
    })) << left_out;
  }
  EXPECT_GT(b.records(), 0u);
}

TEST_F(RebalanceTest, ARevokeWaitsForBatchesInHand) {
  FillAll(200);
  options_.max_batch_records = 10;
  const auto first = Source();
  std::atomic<int> taken_away = 0;
  Worker a(first.get(), [&taken_away](const Batch& batch) {
    std::this_thread::sleep_for(milliseconds(100));  // a slow store
    if (!batch.assignment->Check().ok()) ++taken_away;
  });
  ASSERT_TRUE(EventuallyInGroup([&] { return a.records() > 0; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return b.opened().size() >= 2; }));
  EXPECT_EQ(taken_away, 0);
}

TEST_F(RebalanceTest, ABatchThatDoesNotEndIsFencedAndDoneElsewhere) {
  FillAll(10);
  const auto first = Source();
  const Batch stuck = std::get<Batch>(NextBatch(first.get()));
  const auto second = Source();
  Worker b(second.get());
  EXPECT_TRUE(EventuallyInGroup([&] { return stuck.assignment->Check().code() == StatusCode::kFenced; }));
  first->Done(stuck);  // too late
  first->Stop();
  EXPECT_TRUE(first->Close().ok());
  EXPECT_TRUE(EventuallyInGroup([&] { return WhatIsLeftOut(b.rows(stuck.assignment->partition()), 10).empty(); }));
}

TEST_F(RebalanceTest, AMemberThatLeavesGivesItsPartitionsBack) {
  const auto first = Source();
  const auto second = Source();
  Worker a(first.get());
  Worker b(second.get());
  ASSERT_TRUE(
      EventuallyInGroup([&] { return first->progress().partitions == 2 && second->progress().partitions == 2; }));
  second->Stop();
  EXPECT_TRUE(b.Join().ok());
  EXPECT_TRUE(second->Close().ok());
  FillAll(10);
  EXPECT_TRUE(EventuallyInGroup([&] { return a.records() >= 40; }));
}

// Its rows are spread over the partitions, so that one member must read them all.
TEST_F(RebalanceTest, AReaderOfATopicOfTheProxyGoesOnAndANewcomerStandsByUntilItEnds) {
  options_.format = Format::kHBaseKafkaProxy;
  const auto first = Source();
  Worker a(first.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return a.opened().size() >= 4; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return second->progress().trouble.find("standing by") != std::string::npos; }));
  FillAll(10);
  EXPECT_TRUE(EventuallyInGroup([&] { return a.records() >= 40; }));
  EXPECT_EQ(b.records(), 0u);
  EXPECT_FALSE(b.ended());
  first->Stop();
  EXPECT_TRUE(a.Join().ok());
  EXPECT_TRUE(first->Close().ok());
  FillAll(10);
  EXPECT_TRUE(EventuallyInGroup([&] { return b.records() >= 40; }));
}

}  // namespace
}  // namespace fensi::consumer
