#include "consumer/kafka/group/work_board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>

#include "tests/consumer/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

/// A board with its poll thread's side played by the test.
class WorkBoardTest : public ::testing::Test {
 protected:
  void Make(const WorkBoardOptions& options, int32_t partitions) {
    board_ = std::make_unique<WorkBoard>(options);
    std::vector<int32_t> all;
    for (int32_t partition = 0; partition < partitions; ++partition) all.push_back(partition);
    board_->Assign(all);
    for (const int32_t partition : all) Open(partition);
    for (const int32_t partition : all) (void)partition, BeginNext();
  }
  void Open(int32_t partition) {
    board_->Open(std::make_shared<KafkaAssignment>(tenure_, "t", partition, 1), std::nullopt, 0, log_end_);
  }
  void BeginNext() {
    const Opening opening = std::get<Opening>(board_->Take());
    ASSERT_TRUE(board_->Begin(opening.assignment, 0).ok());
    board_->Reading(opening.assignment->partition());
  }
  bool Offer(int32_t partition, int64_t offset, const std::string& value = "v") {
    return board_->Offer(partition, {offset, 0, "k", value});
  }
  WorkBoard::RawBatch TakeBatch() {
    WorkBoard::Taken taken = board_->Take();
    while (std::holds_alternative<Committed>(taken)) taken = board_->Take();
    return std::get<WorkBoard::RawBatch>(taken);
  }
  void Done(const WorkBoard::RawBatch& batch) {
    board_->Done(batch.assignment, batch.messages->next_offset(), batch.messages->size());
  }
  bool HasEnded() { return std::holds_alternative<End>(board_->Take()); }

  int64_t log_end_ = 0;
  FakeClock clock_;
  const std::shared_ptr<Tenure> tenure_ = std::make_shared<Tenure>(&clock_, milliseconds(1000));
  std::unique_ptr<WorkBoard> board_;
};

TEST_F(WorkBoardTest, HandsOutOneBatchOfALaneAtATime) {
  Make({}, 1);
  Offer(0, 0);
  const auto first = TakeBatch();
  Offer(0, 1);
  std::thread other([this, &first] { Done(first); });
  const auto second = TakeBatch();  // blocks until the first is done
  other.join();
  EXPECT_EQ(second.messages->at(0).offset, 1);
}

TEST_F(WorkBoardTest, LanesAreServedInTurn) {
  Make({.max_batch_records = 1}, 2);
  for (int64_t offset = 0; offset < 2; ++offset) Offer(0, offset), Offer(1, offset);
  const auto a = TakeBatch();
  const auto b = TakeBatch();
  EXPECT_NE(a.assignment->partition(), b.assignment->partition());
}

TEST_F(WorkBoardTest, ATopicThatIsNotPartitionedByRowGivesOneBatchOverAllLanes) {
  Make({.one_in_hand = true}, 2);
  Offer(0, 0);
  Offer(1, 0);
  const auto first = TakeBatch();
  std::thread other([this, &first] { Done(first); });
  const auto second = TakeBatch();
  other.join();
  EXPECT_NE(first.assignment->partition(), second.assignment->partition());
}

TEST_F(WorkBoardTest, BatchesAreBoundedInRecordsAndBytes) {
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

TEST_F(WorkBoardTest, AFullLaneIsPausedAndResumedWhenHalfEmpty) {
  Make({.max_batch_records = 1, .max_queued_bytes = 3000}, 1);
  EXPECT_TRUE(Offer(0, 0, std::string(1000, 'v')));
  EXPECT_TRUE(Offer(0, 1, std::string(1000, 'v')));
  EXPECT_FALSE(Offer(0, 2, std::string(1000, 'v')));
  EXPECT_EQ(board_->TakeFlow().pause, std::vector<int32_t>{0});
  EXPECT_TRUE(board_->TakeFlow().pause.empty()) << "told once";
  Done(TakeBatch());
  EXPECT_TRUE(board_->TakeFlow().resume.empty());
  Done(TakeBatch());
  EXPECT_EQ(board_->TakeFlow().resume, std::vector<int32_t>{0});
}

TEST_F(WorkBoardTest, WhatIsReadAgainAfterAResumeIsDropped) {
  Make({}, 1);
  Offer(0, 0);
  Offer(0, 1);
  Offer(0, 0);
  Offer(0, 1);
  EXPECT_EQ(TakeBatch().messages->size(), 2u);
}

TEST_F(WorkBoardTest, OnlyDoneBatchesAreCommittable) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  EXPECT_TRUE(board_->Committable().empty());
  Done(batch);
  EXPECT_EQ(board_->Committable(), (std::vector<PartitionOffset>{{0, 1}}));
  board_->Committed({{0, 1}});
  EXPECT_TRUE(board_->Committable().empty());
}

TEST_F(WorkBoardTest, TheFirstCommitIsToldOnce) {
  Make({.max_batch_records = 1}, 1);
  Offer(0, 0);
  Offer(0, 1);
  const auto batch = TakeBatch();
  EXPECT_FALSE(batch.assignment->has_committed());
  Done(batch);
  board_->Committed({{0, 1}});
  EXPECT_EQ(std::get<Committed>(board_->Take()).assignment, batch.assignment);
  EXPECT_TRUE(batch.assignment->has_committed());
  Done(std::get<WorkBoard::RawBatch>(board_->Take()));
  board_->Committed({{0, 2}});
  board_->Stop();
  EXPECT_TRUE(HasEnded());
}

TEST_F(WorkBoardTest, DrainWaitsForTheBatchInHandAndKeepsItsOffset) {
  Make({.max_batch_records = 1}, 1);
  Offer(0, 0);
  Offer(0, 1);
  const auto batch = TakeBatch();
  EXPECT_FALSE(board_->Drain(milliseconds(1)));
  std::thread worker([this, &batch] { Done(batch); });
  EXPECT_TRUE(board_->Drain(milliseconds(60'000)));
  worker.join();
  EXPECT_EQ(board_->Committable(), (std::vector<PartitionOffset>{{0, 1}}));
  EXPECT_TRUE(batch.assignment->Check().ok()) << "it is ours until it is released";
  board_->FenceAll(false);
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
}

TEST_F(WorkBoardTest, NothingOfAFencedAssignmentBecomesCommittable) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  board_->FenceAll(/*keep=*/true);
  Done(batch);
  EXPECT_TRUE(board_->Committable().empty());
  EXPECT_EQ(board_->Unopened(), std::vector<int32_t>{0});
}

TEST_F(WorkBoardTest, WithoutAPollTheRightEndsOnTheClockThatCountsSuspension) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  clock_.Advance(milliseconds(1000));
  EXPECT_TRUE(batch.assignment->Check().ok());
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
  tenure_->Polled();
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced) << "a late poll does not give it back";
  Done(batch);
  EXPECT_TRUE(board_->Committable().empty());
}

TEST_F(WorkBoardTest, AnAbandonedPartitionIsOpenedAnew) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  board_->Abandon(batch.assignment);
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
  EXPECT_EQ(board_->Unopened(), std::vector<int32_t>{0});
  Done(batch);
  EXPECT_EQ(board_->progress().records, 0);
}

TEST_F(WorkBoardTest, ALaneIsWantedFromItsBeginOnAndFromItsNextOffset) {
  Make({}, 2);
  Offer(1, 0);
  EXPECT_EQ(board_->Wanted(), (std::vector<PartitionOffset>{{0, 0}, {1, 1}}));
  EXPECT_FALSE(board_->AnyToBegin());
  board_->Abandon(TakeBatch().assignment);
  EXPECT_EQ(board_->Wanted(), (std::vector<PartitionOffset>{{0, 0}}));
  EXPECT_TRUE(board_->AnyToBegin()) << "unopened";
  Open(1);
  const Opening opening = std::get<Opening>(board_->Take());
  EXPECT_TRUE(board_->AnyToBegin()) << "in hand";
  ASSERT_TRUE(board_->Begin(opening.assignment, 0).ok());
  EXPECT_FALSE(board_->AnyToBegin());
}

TEST_F(WorkBoardTest, EndsWhenEveryLaneHasReachedTheEndItOpenedWith) {
  log_end_ = 2;
  Make({.max_batch_records = 1, .until_end = true}, 1);
  Offer(0, 0);
  Offer(0, 1);
  Done(TakeBatch());
  Done(TakeBatch());
  EXPECT_TRUE(HasEnded());
}

TEST_F(WorkBoardTest, ALogThatEndsWithWhatIsNoMessageHasAnEndToo) {
  log_end_ = 2;
  Make({.until_end = true}, 1);
  for (int reread = 0; reread < 2; ++reread) {
    EXPECT_FALSE(board_->ReadToEnd(0, 2));
    EXPECT_EQ(board_->Seeks().at(0).offset, 0);
    board_->Reading(0);
  }
  EXPECT_TRUE(board_->ReadToEnd(0, 2));
  EXPECT_TRUE(HasEnded());
}

TEST_F(WorkBoardTest, WhatAClientSkippedIsReadAgain) {
  Make({}, 1);
  EXPECT_FALSE(Offer(0, 7)) << "0 to 6 are missing";
  EXPECT_EQ(board_->Seeks().at(0).offset, 0);
  board_->Reading(0);
  EXPECT_TRUE(Offer(0, 0));
  EXPECT_EQ(TakeBatch().messages->next_offset(), 1);
}

TEST_F(WorkBoardTest, TransactionsAreReadWithoutASecondLook) {
  Make({}, 1);
  for (int64_t offset = 0; offset < 4000; offset += 2) {
    ASSERT_TRUE(Offer(0, offset));
    ASSERT_TRUE(offset % 100 != 0 || board_->ReadToEnd(0, offset + 2));
  }
  EXPECT_TRUE(board_->Seeks().empty());
}

bool OneIn(std::mt19937* random, unsigned n) { return (*random)() % n == 0; }

/// A log with holes, and a client that may skip some messages whenever it was told where to read, though not twice
/// running.
class SkippingClient {
 public:
  explicit SkippingClient(unsigned seed) : random_(seed) {
    for (int64_t offset = 0; offset < 200; ++offset) {
      if (!OneIn(&random_, 3)) log_.push_back(offset);
    }
  }
  const std::vector<int64_t>& log() const { return log_; }
  bool at_end() const { return next_ >= log_.size(); }
  int64_t Read() { return log_[next_++]; }
  void Seek(int64_t offset) {
    next_ = static_cast<size_t>(std::lower_bound(log_.begin(), log_.end(), offset) - log_.begin());
    skipped_ = !skipped_ && OneIn(&random_, 2) && next_ + 3 < log_.size();
    if (skipped_) next_ += 1 + random_() % 3;
  }

 private:
  std::mt19937 random_;
  std::vector<int64_t> log_;
  size_t next_ = 0;
  bool skipped_ = false;
};

TEST_F(WorkBoardTest, NothingThatAClientSkipsAroundPausesSeeksAndAssignmentsIsLeftOut) {
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
    while (!client.at_end() || !board_->Seeks().empty()) {
      for (const PartitionOffset& seek : board_->Seeks()) {
        client.Seek(seek.offset);
        board_->Reading(0);
      }
      if (OneIn(&random, 10) && !client.at_end()) {  // another partition begins: the client starts this one anew too
        client.Seek(board_->Wanted().at(0).offset);
        board_->Reading(0);
      }
      if (!client.at_end()) Offer(0, client.Read());
      if (board_->TakeFlow().pause.empty()) continue;
      while (board_->TakeFlow().resume.empty()) take();
    }
    while (board_->held_bytes() > 0) take();
    ASSERT_EQ(taken, client.log()) << "seed " << seed;
  }
}

TEST_F(WorkBoardTest, AHoleInTheLogIsBelievedWhenItStaysOne) {
  Make({}, 1);
  for (int reread = 0; reread < 2; ++reread) {
    EXPECT_FALSE(Offer(0, 7));
    board_->Reading(0);
  }
  EXPECT_TRUE(Offer(0, 7));
  EXPECT_EQ(TakeBatch().messages->next_offset(), 8);
}

TEST_F(WorkBoardTest, ABelievedHoleIsToldOnce) {
  Make({}, 1);
  Offer(0, 0);
  EXPECT_FALSE(board_->TakeHole());
  Offer(0, 2);
  EXPECT_TRUE(board_->TakeHole());
  EXPECT_FALSE(board_->TakeHole());
}

TEST_F(WorkBoardTest, AfterAPauseReadingGoesOnWhereTheBoardWants) {
  Make({.max_batch_bytes = 100, .max_queued_bytes = 200}, 1);
  int64_t offset = 0;
  while (Offer(0, offset)) ++offset;
  EXPECT_EQ(board_->TakeFlow().pause.size(), 1u);
  while (board_->TakeFlow().resume.empty()) Done(TakeBatch());
  EXPECT_EQ(board_->Seeks().at(0).offset, offset + 1);
}

TEST_F(WorkBoardTest, StopEndsButABatchInHandIsStillDone) {
  Make({}, 1);
  Offer(0, 0);
  const auto batch = TakeBatch();
  tenure_->Stop();
  board_->Stop();
  EXPECT_TRUE(HasEnded());
  EXPECT_TRUE(batch.assignment->Check().ok());
  Done(batch);
  EXPECT_EQ(board_->Committable(), (std::vector<PartitionOffset>{{0, 1}}));
}

}  // namespace
}  // namespace fensi::consumer
