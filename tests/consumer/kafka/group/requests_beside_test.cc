// The requests beside a stream, as PartitionQueues hands them out.
#include <gtest/gtest.h>

#include <string>

#include "consumer/kafka/group/partition_queues.h"
#include "tests/doubles/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class RequestsBesideTest : public ::testing::Test {
 protected:
  /// Partitions whose streams end at `stream_end` and whose requests are the offsets 0 to 99.
  void Make(PartitionQueuesOptions options, int32_t partitions, int64_t stream_end, RequestPosition start) {
    options.clock = &clock_;
    clock_.Advance(milliseconds(1000));
    lease_->Polled();
    lease_->Heard(milliseconds(0));
    queues_ = std::make_unique<PartitionQueues>(options);
    std::vector<int32_t> all;
    for (int32_t partition = 0; partition < partitions; ++partition) all.push_back(partition);
    queues_->Assign(all);
    for (const int32_t partition : all) {
      queues_->Open(std::make_shared<KafkaAssignment>(lease_, "t", partition, partitions),
                    {nullptr, std::nullopt, 0, stream_end, RequestLog{0, 100}});
      const Opening opening = std::get<Opening>(queues_->Take());
      ASSERT_TRUE(queues_->BeginRequests(opening.assignment, start).ok());
      ASSERT_TRUE(queues_->Begin(opening.assignment, 0).ok());
      queues_->Reading(partition);
      queues_->Reading({partition, Log::kRequests});
    }
  }
  bool Offer(LogId log, int64_t offset, size_t bytes = 1) {
    return queues_->Offer(log, {offset, 0, "k", std::string(bytes, 'v')});
  }
  void OfferMany(LogId log, int64_t from, int64_t to) {
    for (int64_t offset = from; offset < to; ++offset) Offer(log, offset);
  }
  PartitionQueues::RawBatch Take() { return std::get<PartitionQueues::RawBatch>(queues_->Take()); }
  void Done(const PartitionQueues::RawBatch& batch) {
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  }
  /// As "s0-3" or "r0-3": the log, and the offsets from and behind.
  std::string TakeAndDo() {
    const PartitionQueues::RawBatch batch = Take();
    Done(batch);
    return (batch.log == Log::kStream ? "s" : "r") + std::to_string(batch.messages->at(0).offset) + "-" +
           std::to_string(batch.messages->next_offset());
  }

  static constexpr int32_t kStream = 0;
  const LogId requests_{0, Log::kRequests};
  FakeClock clock_;
  const std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(&clock_, milliseconds(1'000'000));
  std::unique_ptr<PartitionQueues> queues_;
};

TEST_F(RequestsBesideTest, NotedRequestsThenTheStreamToItsEndThenNewRequests) {
  Make({.max_batch_records = 2}, 1, /*stream_end=*/3, {.done = 5, .noted = 8});
  OfferMany(kStream, 0, 5);
  OfferMany(requests_, 5, 12);
  ASSERT_EQ(TakeAndDo(), "r5-8") << "and no request that was not noted";
  ASSERT_EQ(TakeAndDo(), "s0-2");
  ASSERT_EQ(TakeAndDo(), "s2-4");
  clock_.Advance(milliseconds(200));
  ASSERT_EQ(TakeAndDo(), "r8-12");
  ASSERT_EQ(TakeAndDo(), "s4-5");
}

TEST_F(RequestsBesideTest, OneBatchOfBothIsInHand) {
  PartitionQueue queue;
  queue.Open({nullptr, {}, 0, 0, RequestLog{0, 1}}, std::make_shared<KafkaAssignment>(lease_, "t", 0, 1));
  const milliseconds now = clock_.MonotonicNow();
  ASSERT_TRUE(queue.Take(true, now).has_value());
  ASSERT_TRUE(queue.BeginRequests({0, 0}));
  ASSERT_TRUE(queue.Begin(0));
  for (const Log log : {Log::kStream, Log::kRequests}) {
    queue.log(log).Reading();
    queue.Offer(log, {0, 0, "k", "v"}, {10, 1000, 1000});
  }
  for (const Log log : {Log::kRequests, Log::kStream}) {
    const auto taken = queue.Take(true, now);
    ASSERT_TRUE(taken.has_value());
    EXPECT_EQ(std::get<PartitionQueue::RawBatch>(*taken).log, log);
    EXPECT_FALSE(queue.Take(true, now).has_value()) << "the other waits for it";
    EXPECT_FALSE(queue.Done(log == Log::kStream ? Log::kRequests : Log::kStream, 1, now)) << "it is not in hand";
    EXPECT_TRUE(queue.Done(log, 1, now));
  }
}

TEST_F(RequestsBesideTest, NoRequestBecomesCommittable) {
  Make({}, 1, 0, {});
  OfferMany(requests_, 0, 10);
  ASSERT_EQ(TakeAndDo(), "r0-10");
  EXPECT_TRUE(queues_->Committable().empty());
  EXPECT_EQ(queues_->progress().records, 0) << "of the stream";
}

TEST_F(RequestsBesideTest, TheStreamOfAnotherPartitionGoesBeforeIdleRequests) {
  Make({}, 3, 0, {});
  for (const int32_t partition : {0, 1, 2}) Offer({partition, Log::kRequests}, 0);
  Offer(2, 0);
  ASSERT_EQ(TakeAndDo(), "r0-1") << "of partition 2, whose pause is over";
  ASSERT_EQ(TakeAndDo(), "s0-1");
  ASSERT_EQ(TakeAndDo(), "r0-1");
  ASSERT_EQ(TakeAndDo(), "r0-1");
}

TEST_F(RequestsBesideTest, BatchesAndMemoryOfBothTogetherAreBounded) {
  Make({.max_queued_bytes = 32 << 20}, 2, 0, {});
  const size_t bytes = 1000;
  for (int32_t partition = 0; partition < 2; ++partition) {
    for (const Log log : {Log::kStream, Log::kRequests}) {
      for (int64_t offset = 0; Offer({partition, log}, offset, bytes); ++offset) {
      }
    }
  }
  EXPECT_LE(queues_->held_bytes(), (size_t{32} << 20) + 4 * 1100);
  EXPECT_EQ(queues_->TakeFlow().pause.size(), 4u);
  bool any = false;
  for (int taken = 0; taken < 10; ++taken) {
    const auto batch = Take();
    if (batch.log == Log::kRequests) {
      any = true;
      EXPECT_LE(batch.messages->cost(), size_t{512} << 10);
      EXPECT_LE(batch.messages->size(), 2000u);
    }
    Done(batch);
    clock_.Advance(milliseconds(300));
  }
  EXPECT_TRUE(any);
}

TEST_F(RequestsBesideTest, ABatchHasAtMostTwoThousandRequests) {
  Make({.max_batch_records = 5000}, 1, 0, {});
  OfferMany(requests_, 0, 2500);
  ASSERT_EQ(TakeAndDo(), "r0-2000");
  ASSERT_EQ(TakeAndDo(), "r2000-2500");
}

TEST_F(RequestsBesideTest, WhatIsNotWithinTheLogIsNotBegun) {
  queues_ = std::make_unique<PartitionQueues>(PartitionQueuesOptions{.clock = &clock_});
  queues_->Assign({0});
  queues_->Open(std::make_shared<KafkaAssignment>(lease_, "t", 0, 1), {nullptr, {}, 0, 0, RequestLog{10, 20}});
  const auto assignment = std::get<Opening>(queues_->Take()).assignment;
  for (const RequestPosition start : {RequestPosition{9, 15}, {15, 21}, {15, 12}}) {
    EXPECT_EQ(queues_->BeginRequests(assignment, start).code(), StatusCode::kGap);
  }
  EXPECT_TRUE(queues_->BeginRequests(assignment, {10, 20}).ok());
  queues_->Abandon(assignment);
  EXPECT_EQ(queues_->BeginRequests(assignment, {10, 20}).code(), StatusCode::kFenced);
}

TEST_F(RequestsBesideTest, AFencedPartitionLosesBothLogs) {
  Make({}, 1, 0, {});
  OfferMany(requests_, 0, 3);
  const auto batch = Take();
  queues_->OpenAgain(0);
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
  EXPECT_TRUE(queues_->places().wanted.empty());
  EXPECT_EQ(queues_->held_bytes(), 0u);
  Done(batch);
  EXPECT_EQ(queues_->Unopened(), std::vector<int32_t>{0});
}

TEST_F(RequestsBesideTest, EndsWhenBothLogsHaveReachedTheEndsTheyOpenedWith) {
  Make({.until_end = true}, 1, 1, {.done = 98, .noted = 98});
  Offer(kStream, 0);
  OfferMany(requests_, 98, 100);
  EXPECT_EQ(queues_->progress().requests_left, 2);
  ASSERT_EQ(TakeAndDo(), "s0-1");
  ASSERT_EQ(TakeAndDo(), "r98-100");
  EXPECT_TRUE(std::holds_alternative<End>(queues_->Take()));
  EXPECT_EQ(queues_->progress().requests_left, 0);
}

TEST_F(RequestsBesideTest, WhatIsWrongWithTheRequestsIsShownUntilSomethingComes) {
  Make({}, 1, 0, {});
  queues_->SetTrouble(requests_, "cannot read the requests");
  Offer(kStream, 0);
  EXPECT_EQ(queues_->progress().trouble, "cannot read the requests");
  Offer(requests_, 0);
  EXPECT_EQ(queues_->progress().trouble, "");
}

}  // namespace
}  // namespace fensi::consumer
