#include "consumer/kafka/group/partition_queues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "tests/doubles/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

/// Queues with their poll thread's side played by the test.
class PartitionQueuesTest : public ::testing::Test {
 protected:
  void Make(const PartitionQueuesOptions& options, int32_t partitions) {
    queues_ = std::make_unique<PartitionQueues>(options);
    std::vector<int32_t> all;
    for (int32_t partition = 0; partition < partitions; ++partition) all.push_back(partition);
    queues_->Assign(all);
    for (const int32_t partition : all) Open(partition);
    for (const int32_t partition : all) (void)partition, BeginNext();
  }
  void Open(int32_t partition) {
    queues_->Open(std::make_shared<KafkaAssignment>(lease_, "t", partition, 1),
                  {nullptr, std::nullopt, 0, log_end_, requests_});
  }
  void BeginNext() {
    const Opening opening = std::get<Opening>(queues_->Take());
    ASSERT_TRUE(queues_->Begin(opening.assignment, 0).ok());
    queues_->Reading(opening.assignment->partition());
  }
  bool Offer(int32_t partition, int64_t offset, const std::string& value = "v") {
    return queues_->Offer(partition, {offset, 0, "k", value});
  }
  PartitionQueues::RawBatch TakeBatch() {
    PartitionQueues::Taken taken = queues_->Take();
    while (std::holds_alternative<Committed>(taken)) taken = queues_->Take();
    return std::get<PartitionQueues::RawBatch>(taken);
  }
  void Done(const PartitionQueues::RawBatch& batch) {
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  }
  bool HasEnded() { return std::holds_alternative<End>(queues_->Take()); }

  int64_t log_end_ = 0;
  std::optional<RequestLog> requests_;
  FakeClock clock_;
  const std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(&clock_, milliseconds(1000));
  std::unique_ptr<PartitionQueues> queues_;
};

TEST_F(PartitionQueuesTest, HandsOutOneBatchOfAQueueAtATime) {
  Make({}, 1);
  Offer(0, 0);
  const auto first = TakeBatch();
  Offer(0, 1);
  std::thread other([this, &first] { Done(first); });
  const auto second = TakeBatch();  // blocks until the first is done
  other.join();
  EXPECT_EQ(second.messages->at(0).offset, 1);
}

TEST_F(PartitionQueuesTest, QueuesAreServedInTurn) {
  Make({.max_batch_records = 1}, 2);
  for (int64_t offset = 0; offset < 2; ++offset) Offer(0, offset), Offer(1, offset);
  const auto a = TakeBatch();
  const auto b = TakeBatch();
  EXPECT_NE(a.assignment->partition(), b.assignment->partition());
}

TEST_F(PartitionQueuesTest, ATopicThatIsNotPartitionedByRowGivesOneBatchOverAllQueues) {
  Make({.one_in_hand = true}, 2);
  Offer(0, 0);
  Offer(1, 0);
  const auto first = TakeBatch();
  std::thread other([this, &first] { Done(first); });
  const auto second = TakeBatch();
  other.join();
  EXPECT_NE(first.assignment->partition(), second.assignment->partition());
}

TEST_F(PartitionQueuesTest, BatchesAreBoundedInRecordsAndBytes) {
  Make({.max_batch_records = 3, .max_batch_bytes = 4000}, 1);
  for (int64_t offset = 0; offset < 4; ++offset) Offer(0, offset);
  Offer(0, 4, std::string(3990, 'v'));
  std::vector<size_t> sizes;
  for (int i = 0; i < 3; ++i) {
    const auto batch = TakeBatch();
    sizes.push_back(batch.messages->size());
    Done(batch);
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{3, 1, 1}));
}

TEST_F(PartitionQueuesTest, AFullQueueIsPausedAndResumedWhenHalfEmpty) {
  Make({.max_batch_records = 1, .max_queued_bytes = 3000}, 1);
  EXPECT_TRUE(Offer(0, 0, std::string(1000, 'v')));
  EXPECT_TRUE(Offer(0, 1, std::string(1000, 'v')));
  EXPECT_FALSE(Offer(0, 2, std::string(1000, 'v')));
  EXPECT_EQ(queues_->TakeFlow().pause, std::vector<LogId>{0});
  EXPECT_TRUE(queues_->TakeFlow().pause.empty()) << "told once";
  Done(TakeBatch());
  EXPECT_TRUE(queues_->TakeFlow().resume.empty());
  Done(TakeBatch());
  EXPECT_EQ(queues_->TakeFlow().resume, std::vector<LogId>{0});
}

TEST_F(PartitionQueuesTest, WhatIsReadAgainAfterAResumeIsDropped) {
  Make({}, 1);
  Offer(0, 0);
  Offer(0, 1);
  Offer(0, 0);
  Offer(0, 1);
  EXPECT_EQ(TakeBatch().messages->size(), 2u);
}

TEST_F(PartitionQueuesTest, OnlyDoneBatchesAreCommittable) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  EXPECT_TRUE(queues_->Committable().empty());
  Done(batch);
  EXPECT_EQ(queues_->Committable(), (std::vector<PartitionOffset>{{0, 1}}));
  queues_->Committed({{0, 1}});
  EXPECT_TRUE(queues_->Committable().empty());
}

TEST_F(PartitionQueuesTest, TheFirstCommitIsToldOnce) {
  Make({.max_batch_records = 1}, 1);
  Offer(0, 0);
  Offer(0, 1);
  const auto batch = TakeBatch();
  EXPECT_FALSE(batch.assignment->has_committed());
  Done(batch);
  queues_->Committed({{0, 1}});
  EXPECT_EQ(std::get<Committed>(queues_->Take()).assignment, batch.assignment);
  EXPECT_TRUE(batch.assignment->has_committed());
  Done(std::get<PartitionQueues::RawBatch>(queues_->Take()));
  queues_->Committed({{0, 2}});
  queues_->Stop();
  EXPECT_TRUE(HasEnded());
}

TEST_F(PartitionQueuesTest, DrainWaitsForTheBatchInHandAndKeepsItsOffset) {
  Make({.max_batch_records = 1}, 1);
  Offer(0, 0);
  Offer(0, 1);
  const auto batch = TakeBatch();
  EXPECT_FALSE(queues_->Drain(milliseconds(1)));
  std::thread worker([this, &batch] { Done(batch); });
  EXPECT_TRUE(queues_->Drain(milliseconds(60'000)));
  worker.join();
  EXPECT_EQ(queues_->Committable(), (std::vector<PartitionOffset>{{0, 1}}));
  EXPECT_TRUE(batch.assignment->Check().ok()) << "it is ours until it is released";
  queues_->FenceAll(false);
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
}

TEST_F(PartitionQueuesTest, NothingOfAFencedAssignmentBecomesCommittable) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  queues_->FenceAll(/*keep=*/true);
  Done(batch);
  EXPECT_TRUE(queues_->Committable().empty());
  EXPECT_EQ(queues_->Unopened(), std::vector<int32_t>{0});
}

TEST_F(PartitionQueuesTest, WithoutAPollTheRightEndsOnTheClockThatCountsSuspension) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  clock_.Advance(milliseconds(1000));
  EXPECT_TRUE(batch.assignment->Check().ok());
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
  lease_->Polled();
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced) << "a late poll does not give it back";
  Done(batch);
  EXPECT_TRUE(queues_->Committable().empty());
}

TEST_F(PartitionQueuesTest, AnAbandonedPartitionIsOpenedAnew) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  queues_->Abandon(batch.assignment);
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
  EXPECT_EQ(queues_->Unopened(), std::vector<int32_t>{0});
  Done(batch);
  EXPECT_EQ(queues_->progress().records, 0);
}

TEST_F(PartitionQueuesTest, AQueueIsWantedFromItsBeginOnAndFromItsNextOffset) {
  Make({}, 2);
  Offer(1, 0);
  EXPECT_EQ(queues_->places().wanted, (std::vector<PartitionOffset>{{0, 0}, {1, 1}}));
  EXPECT_FALSE(queues_->places().any_to_begin);
  queues_->Abandon(TakeBatch().assignment);
  EXPECT_EQ(queues_->places().wanted, (std::vector<PartitionOffset>{{0, 0}}));
  EXPECT_TRUE(queues_->places().any_to_begin) << "unopened";
  Open(1);
  const Opening opening = std::get<Opening>(queues_->Take());
  EXPECT_TRUE(queues_->places().any_to_begin) << "in hand";
  ASSERT_TRUE(queues_->Begin(opening.assignment, 0).ok());
  EXPECT_FALSE(queues_->places().any_to_begin);
}

TEST_F(PartitionQueuesTest, EndsWhenEveryQueueHasReachedTheEndItOpenedWith) {
  log_end_ = 2;
  Make({.max_batch_records = 1, .until_end = true}, 1);
  Offer(0, 0);
  Offer(0, 1);
  Done(TakeBatch());
  Done(TakeBatch());
  EXPECT_TRUE(HasEnded());
}

TEST_F(PartitionQueuesTest, ALogThatEndsWithWhatIsNoMessageHasAnEndToo) {
  log_end_ = 2;
  Make({.until_end = true}, 1);
  for (int reread = 0; reread < 2; ++reread) {
    EXPECT_FALSE(queues_->ReadToEnd(0, 2));
    EXPECT_EQ(queues_->places().seeks.at(0).offset, 0);
    queues_->Reading(0);
  }
  EXPECT_TRUE(queues_->ReadToEnd(0, 2));
  EXPECT_TRUE(HasEnded());
}

TEST_F(PartitionQueuesTest, WhatAClientSkippedIsReadAgain) {
  Make({}, 1);
  EXPECT_FALSE(Offer(0, 7)) << "0 to 6 are missing";
  EXPECT_EQ(queues_->places().seeks.at(0).offset, 0);
  queues_->Reading(0);
  EXPECT_TRUE(Offer(0, 0));
  EXPECT_EQ(TakeBatch().messages->next_offset(), 1);
}

TEST_F(PartitionQueuesTest, TransactionsAreReadWithoutASecondLook) {
  Make({}, 1);
  for (int64_t offset = 0; offset < 4000; offset += 2) {
    ASSERT_TRUE(Offer(0, offset));
    ASSERT_TRUE(offset % 100 != 0 || queues_->ReadToEnd(0, offset + 2));
  }
  EXPECT_TRUE(queues_->places().seeks.empty());
}

bool OneIn(std::mt19937* random, unsigned n) { return (*random)() % n == 0; }

/// A log with holes, and a client that may skip some messages when it reads on after it was told where, though not
/// twice running.
class SkippingClient {
 public:
  explicit SkippingClient(unsigned seed) : random_(seed) {
    for (int64_t offset = 0; offset < 200; ++offset) {
      if (!OneIn(&random_, 3)) log_.push_back(offset);
    }
  }
  const std::vector<int64_t>& log() const { return log_; }
  bool at_end() const { return next_ >= log_.size(); }
  int64_t Read() {
    if (std::exchange(told_, false)) {
      skipped_ = !skipped_ && OneIn(&random_, 2) && next_ + 3 < log_.size();
      if (skipped_) next_ += 1 + random_() % 3;
    }
    return log_[next_++];
  }
  void Seek(int64_t offset) {
    next_ = static_cast<size_t>(std::lower_bound(log_.begin(), log_.end(), offset) - log_.begin());
    told_ = true;
  }

 private:
  std::mt19937 random_;
  std::vector<int64_t> log_;
  size_t next_ = 0;
  bool told_ = false;     // and not read since
  bool skipped_ = false;  // when it was told before
};

TEST_F(PartitionQueuesTest, NothingThatAClientSkipsAroundPausesSeeksAndAssignmentsIsLeftOut) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Make({.max_batch_records = 4, .max_batch_bytes = 200, .max_queued_bytes = 600}, 1);
    SkippingClient client(seed);
    client.Seek(0);
    std::mt19937 random(seed);
    std::vector<int64_t> taken;
    const auto take = [&] {
      const auto batch = TakeBatch();
      for (size_t i = 0; i < batch.messages->size(); ++i) taken.push_back(batch.messages->at(i).offset);
      Done(batch);
    };
    while (!client.at_end() || !queues_->places().seeks.empty()) {
      for (const PartitionOffset& seek : queues_->places().seeks) {
        client.Seek(seek.offset);
        queues_->Reading(0);
      }
      if (OneIn(&random, 10) && !client.at_end()) {  // another partition begins: the client starts this one anew too
        client.Seek(queues_->places().wanted.at(0).offset);
        queues_->Reading(0);
      }
      if (!client.at_end()) Offer(0, client.Read());
      if (queues_->TakeFlow().pause.empty()) continue;
      while (queues_->TakeFlow().resume.empty()) take();
    }
    while (queues_->held_bytes() > 0) take();
    ASSERT_EQ(taken, client.log()) << "seed " << seed;
  }
}

TEST_F(PartitionQueuesTest, AHoleInTheLogIsBelievedWhenItStaysOne) {
  Make({}, 1);
  for (int reread = 0; reread < 2; ++reread) {
    EXPECT_FALSE(Offer(0, 7));
    queues_->Reading(0);
  }
  EXPECT_TRUE(Offer(0, 7));
  EXPECT_EQ(TakeBatch().messages->next_offset(), 8);
}

TEST_F(PartitionQueuesTest, AnOffsetThatIsSeenAndThenGoneIsToldInsteadOfLookedForWithoutEnd) {
  Make({}, 1);
  const auto look = [&](int64_t first) {
    queues_->Reading(0);
    EXPECT_FALSE(Offer(0, first));
  };
  look(7);
  EXPECT_FALSE(queues_->TakeFindings().vanished);
  int looks = 0;
  std::optional<PartitionOffset> vanished;
  while (!vanished && ++looks < 100) {
    look(9);
    vanished = queues_->TakeFindings().vanished;
  }
  ASSERT_TRUE(vanished) << "7 was there";
  EXPECT_EQ(vanished->offset, 7);
  EXPECT_GE(looks, 5) << "the client may skip, though not each time";
}

TEST_F(PartitionQueuesTest, WhatIsNoMessageAtTheEndOfTheLogIsDoneWithAllThatIsBefore) {
  Make({}, 1);
  Offer(0, 0);
  EXPECT_TRUE(queues_->ReadToEnd(0, 2));  // 1 is the end of a transaction
  EXPECT_TRUE(queues_->Committable().empty());
  const auto batch = TakeBatch();
  EXPECT_TRUE(queues_->Committable().empty());
  Done(batch);
  ASSERT_EQ(queues_->Committable().size(), 1u);
  EXPECT_EQ(queues_->Committable()[0].offset, 2);
  EXPECT_EQ(queues_->progress().records_left, 0);
  Offer(0, 2);
  EXPECT_EQ(queues_->Committable()[0].offset, 2) << "what came then is not done";
}

TEST_F(PartitionQueuesTest, ABelievedHoleIsToldOnce) {
  Make({}, 1);
  Offer(0, 0);
  EXPECT_FALSE(queues_->TakeFindings().hole);
  Offer(0, 2);
  EXPECT_TRUE(queues_->TakeFindings().hole);
  EXPECT_FALSE(queues_->TakeFindings().hole);
}

TEST_F(PartitionQueuesTest, AfterAPauseReadingGoesOnWhereTheQueueWants) {
  Make({.max_batch_bytes = 100, .max_queued_bytes = 200}, 1);
  int64_t offset = 0;
  while (Offer(0, offset)) ++offset;
  EXPECT_EQ(queues_->TakeFlow().pause.size(), 1u);
  while (queues_->TakeFlow().resume.empty()) Done(TakeBatch());
  EXPECT_EQ(queues_->places().seeks.at(0).offset, offset + 1);
}

TEST_F(PartitionQueuesTest, PausedTheyHandOutNoBatchButAllElse) {
  Make({}, 1);
  Offer(0, 0);
  const auto first = TakeBatch();
  queues_->SetPaused(true);
  EXPECT_FALSE(queues_->state().at_rest) << "a batch is in hand";
  Done(first);
  EXPECT_TRUE(queues_->state().at_rest);
  EXPECT_EQ(queues_->Committable().size(), 1u);
  queues_->Committed({{0, 1}});
  EXPECT_TRUE(std::holds_alternative<Committed>(queues_->Take()));
  Offer(0, 1);
  queues_->OpenAgain(0);
  Open(0);
  BeginNext();
  Offer(0, 0);
  std::atomic<bool> resumed = false;
  std::thread person([this, &resumed] {
    std::this_thread::sleep_for(milliseconds(50));
    resumed = true;
    queues_->SetPaused(false);
  });
  const auto second = TakeBatch();
  EXPECT_TRUE(resumed);
  person.join();
  EXPECT_FALSE(queues_->state().at_rest);
}

TEST_F(PartitionQueuesTest, AStopEndsAPause) {
  Make({}, 1);
  Offer(0, 0);
  queues_->SetPaused(true);
  std::thread person([this] { queues_->Stop(); });
  EXPECT_TRUE(HasEnded());
  person.join();
}

TEST_F(PartitionQueuesTest, StopEndsButABatchInHandIsStillDone) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  lease_->Stop();
  queues_->Stop();
  EXPECT_TRUE(HasEnded());
  EXPECT_TRUE(batch.assignment->Check().ok());
  Done(batch);
  EXPECT_EQ(queues_->Committable(), (std::vector<PartitionOffset>{{0, 1}}));
}

}  // namespace
}  // namespace fensi::consumer
