// What a source tells of itself, with brokers: exact after a rebalance and after a restart.
#include <gtest/gtest.h>

#include "tests/consumer/kafka/source_fixture.h"

namespace fensi::consumer {
namespace {

class SourceStateTest : public KafkaSourceTest {
 protected:
  SourceStateTest() { MakeTopic(4); }
  void FillAll(int64_t count) {
    for (int32_t partition = 0; partition < 4; ++partition) Fill(partition, count);
  }
  static int64_t Applied(const StreamState& state) {
    int64_t applied = 0;
    for (const PartitionState& each : state.partitions) applied += each.applied;
    return applied;
  }
};

TEST_F(SourceStateTest, OffsetsEndAndGroupAreThoseOfTheBroker) {
  FillAll(100);
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return Applied(source->state()) == 400; }));
  EXPECT_TRUE(Eventually([&] { return source->state().last_commit.has_value(); }));
  const StreamState state = source->state();
  EXPECT_EQ(state.assigned, 4);
  EXPECT_EQ(state.topic_partitions, 4);
  EXPECT_EQ(state.assignments, 1);
  EXPECT_EQ(state.revocations + state.losses + state.fenced, 0);
  for (const PartitionState& each : state.partitions) {
    EXPECT_EQ(each.log_end, 100);
    EXPECT_EQ(each.oldest_time, std::nullopt);
  }
  EXPECT_TRUE(Eventually([&] { return source->state().reachable == true; }));
  EXPECT_TRUE(Eventually([&] { return source->state().log_end_checked.has_value(); }));
}

TEST_F(SourceStateTest, FreshnessGoesOnWhileNothingHappens) {
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return source->state().log_end_checked.has_value(); }));
  const int64_t before = *source->state().log_end_checked;
  EXPECT_TRUE(Eventually([&] { return source->state().log_end_checked > before + 1000; }));
  for (const PartitionState& each : source->state().partitions) EXPECT_GE(each.fresh_until, before);
}

TEST_F(SourceStateTest, PartitionsAreToldByTheirOwnerAlone) {
  FillAll(50);
  const auto first = Source();
  Worker a(first.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return Applied(first->state()) == 200; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(EventuallyInGroup(
      [&] { return first->state().partitions.size() == 2 && second->state().partitions.size() == 2; }));
  EXPECT_GE(first->state().revocations, 1);
  FillAll(50);
  EXPECT_TRUE(EventuallyInGroup([&] { return Applied(first->state()) + Applied(second->state()) == 400; }));
}

TEST_F(SourceStateTest, ARestartGoesOnWhereItWas) {
  FillAll(30);
  {
    const auto source = Source();
    Worker worker(source.get());
    ASSERT_TRUE(EventuallyInGroup([&] { return Applied(source->state()) == 120; }));
    source->Stop();
    EXPECT_TRUE(worker.Join().ok());
    EXPECT_TRUE(source->Close().ok());
  }
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return source->state().partitions.size() == 4; }));
  EXPECT_EQ(Applied(source->state()), 120);
  EXPECT_EQ(worker.records(), 0u);
  for (const PartitionState& each : source->state().partitions) EXPECT_EQ(each.committed, 30);
}

TEST_F(SourceStateTest, ABrokerThatIsAwayIsNotReachable) {
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return source->state().reachable == true; }));
  mock_.SetDown(true);
  EXPECT_TRUE(Eventually([&] { return source->state().reachable == false; }));
  EXPECT_TRUE(Eventually([&] { return source->state().broker_silence > std::chrono::milliseconds(500); }));
  mock_.SetDown(false);
  EXPECT_TRUE(Eventually([&] { return source->state().reachable == true; }));
}

}  // namespace
}  // namespace fensi::consumer
