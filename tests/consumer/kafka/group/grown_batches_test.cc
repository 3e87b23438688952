// Batches of several chunks: when they are made, and that nothing in them is lost, twice, or another message's.
#include <gmock/gmock.h>

#include <string>

#include "consumer/kafka/group/partition_queues.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

std::string KeyOf(int64_t offset) { return "key" + std::to_string(offset * offset); }
std::string ValueOf(int64_t offset) {
  return std::string(static_cast<size_t>(offset % 7), 'v') + std::to_string(offset);
}

/// Partitions whose usual batch has ten messages.
class GrownBatches : public ::testing::Test {
 protected:
  void Make(PartitionQueuesOptions options, int32_t partitions = 1, bool with_requests = false) {
    options.clock = &clock_;
    options.max_batch_records = 10;
    lease_->Polled();
    lease_->Heard(milliseconds(0));
    queues_ = std::make_unique<PartitionQueues>(options);
    std::vector<int32_t> all;
    for (int32_t partition = 0; partition < partitions; ++partition) all.push_back(partition);
    queues_->Assign(all);
    const auto requests = with_requests ? std::optional(RequestLog{0, 100}) : std::nullopt;
    for (const int32_t partition : all) {
      queues_->Open(std::make_shared<KafkaAssignment>(lease_, "t", partition, partitions),
                    {nullptr, std::nullopt, 0, 0, requests});
      const Opening opening = std::get<Opening>(queues_->Take());
      if (with_requests) {
        EXPECT_TRUE(queues_->BeginRequests(opening.assignment, {0, 0}).ok());
      }
      EXPECT_TRUE(queues_->Begin(opening.assignment, 0).ok());
      queues_->Reading(partition);
      if (with_requests) queues_->Reading({partition, Log::kRequests});
    }
    offered_.assign(all.size(), 0);
  }
  void Offer(int count, int32_t partition = 0) {
    for (int i = 0; i < count; ++i) {
      const int64_t offset = offered_[static_cast<size_t>(partition)]++;
      const std::string key = KeyOf(offset), value = ValueOf(offset);
      queues_->Offer(partition, {offset, 1'000 + offset, key, value, static_cast<uint32_t>(offset % 3)});
    }
  }
  PartitionQueues::RawBatch Take() { return std::get<PartitionQueues::RawBatch>(queues_->Take()); }
  size_t TakeAndDo(int millis = 1) {
    const PartitionQueues::RawBatch batch = Take();
    clock_.Advance(milliseconds(millis));
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
    return batch.messages->size();
  }
  std::vector<size_t> Sizes(int batches, int millis = 1) {
    std::vector<size_t> sizes;
    for (int i = 0; i < batches; ++i) sizes.push_back(TakeAndDo(millis));
    return sizes;
  }

  FakeClock clock_;
  const std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(&clock_, milliseconds(1'000'000));
  std::unique_ptr<PartitionQueues> queues_;
  std::vector<int64_t> offered_;  // of each partition
};

TEST_F(GrownBatches, GrowTwofoldToThreeUsualOnesWhileMoreThanThatIsQueued) {
  Make({});
  Offer(200);
  EXPECT_THAT(Sizes(7), ElementsAre(10, 10, 10, 20, 30, 30, 30));
}

TEST_F(GrownBatches, WhatIsNoMoreThanABatchComesInUsualOnes) {
  Make({});
  Offer(75);
  EXPECT_THAT(Sizes(5), ElementsAre(10, 10, 10, 20, 10)) << "of 25 messages, which are fewer than 30";
}

TEST_F(GrownBatches, ASlowStoreHasUsualOnes) {
  Make({});
  Offer(200);
  EXPECT_THAT(Sizes(6, 1'000), ElementsAre(10, 10, 10, 10, 10, 10));
}

TEST_F(GrownBatches, OneSlowBatchMakesTheNextThreeSmaller) {
  Make({});
  Offer(400);
  EXPECT_THAT(Sizes(5), ElementsAre(10, 10, 10, 20, 30));
  EXPECT_EQ(TakeAndDo(4'000), 30u);
  EXPECT_THAT(Sizes(5), ElementsAre(10, 10, 10, 20, 30));
}

TEST_F(GrownBatches, SeveralPartitionsShareWhatOneMayHave) {
  Make({}, 2);
  Offer(200, 0), Offer(200, 1);
  EXPECT_THAT(Sizes(10), ElementsAre(10, 10, 10, 10, 10, 10, 20, 20, 20, 20));
  Make({}, 4);
  Offer(200, 3);
  EXPECT_THAT(Sizes(5), ElementsAre(10, 10, 10, 10, 10));
}

TEST_F(GrownBatches, AreBoundedInBytes) {
  Make({.max_batch_bytes = 500});
  Offer(300);
  size_t largest = 0;
  for (int i = 0; i < 8; ++i) {
    const PartitionQueues::RawBatch batch = Take();
    largest = std::max(largest, batch.messages->cost());
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  }
  EXPECT_LE(largest, 3u * 500);
  EXPECT_GT(largest, 2u * 500);
}

/// Chunks of large messages have few of them: that must not make batches of many chunks while the store is slow.
TEST_F(GrownBatches, AreOneChunkOfLargeMessagesWhileTheStoreIsSlow) {
  Make({.max_batch_bytes = 500});
  Offer(300);
  for (int i = 0; i < 8; ++i) {
    const PartitionQueues::RawBatch batch = Take();
    EXPECT_LE(batch.messages->cost(), 500u);
    clock_.Advance(std::chrono::seconds(5));
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  }
}

TEST_F(GrownBatches, AreHalfOfASmallQueueAtMostAsAnyBatch) {
  Make({.max_queued_bytes = 6'000});
  Offer(60);
  for (int i = 0; i < 5; ++i) {
    const PartitionQueues::RawBatch batch = Take();
    EXPECT_LE(batch.messages->cost(), 3'000u);
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
    Offer(10);
  }
}

TEST_F(GrownBatches, NoneIsMadeWhileRequestsWait) {
  Make({}, 1, /*with_requests=*/true);
  Offer(200);
  EXPECT_THAT(Sizes(5), ElementsAre(10, 10, 10, 20, 30));
  queues_->Offer({0, Log::kRequests}, {0, 0, "k", "v"});
  clock_.Advance(milliseconds(1'000));
  EXPECT_EQ(TakeAndDo(), 1u) << "the request";
  queues_->Offer({0, Log::kRequests}, {1, 0, "k", "v"});
  EXPECT_THAT(Sizes(2), ElementsAre(10, 10));
}

TEST_F(GrownBatches, ANewAssignmentBeginsAnew) {
  Make({});
  Offer(200);
  EXPECT_THAT(Sizes(5), ElementsAre(10, 10, 10, 20, 30));
  queues_->OpenAgain(0);
  Make({});
  Offer(200);
  EXPECT_THAT(Sizes(4), ElementsAre(10, 10, 10, 20));
}

TEST_F(GrownBatches, HoldEachMessageOnceAsItWas) {
  Make({});
  Offer(300);
  int64_t next = 0;
  size_t largest = 0;
  while (next < 240) {
    const PartitionQueues::RawBatch batch = Take();
    largest = std::max(largest, batch.messages->size());
    for (size_t i = 0; i < batch.messages->size(); ++i, ++next) {
      const FetchedMessage message = batch.messages->at(i);
      ASSERT_EQ(message.offset, next);
      ASSERT_EQ(message.message_time, 1'000 + next);
      ASSERT_EQ(message.key, KeyOf(next));
      ASSERT_EQ(message.value, ValueOf(next));
      ASSERT_EQ(message.replays, static_cast<uint32_t>(next % 3));
    }
    ASSERT_EQ(batch.messages->next_offset(), next);
    EXPECT_TRUE(queues_->Committable().empty() || queues_->Committable()[0].offset < next) << "it is in hand";
    queues_->Done(batch.log, batch.assignment, next, batch.messages->size());
    ASSERT_EQ(queues_->Committable().at(0).offset, next);
  }
  EXPECT_EQ(largest, 30u);
  EXPECT_EQ(queues_->progress().records, next);
}

TEST_F(GrownBatches, OneThatIsGivenUpComesAgainWhole) {
  Make({});
  Offer(200);
  Sizes(5);
  const PartitionQueues::RawBatch batch = Take();
  ASSERT_EQ(batch.messages->size(), 30u);
  const int64_t first = batch.messages->at(0).offset;
  EXPECT_EQ(queues_->Committable().at(0).offset, first) << "nothing of it";
  queues_->Abandon(batch.assignment);
  queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  EXPECT_TRUE(queues_->Committable().empty());
}

TEST_F(GrownBatches, WhatTheyHoldCountsUntilTheyAreDone) {
  Make({});
  Offer(200);
  Sizes(5);
  const size_t held = queues_->held_bytes();
  const PartitionQueues::RawBatch batch = Take();
  EXPECT_EQ(queues_->held_bytes(), held);
  queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  EXPECT_EQ(queues_->held_bytes(), held - batch.messages->cost());
}

}  // namespace
}  // namespace fensi::consumer
