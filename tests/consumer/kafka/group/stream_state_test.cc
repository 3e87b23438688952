// How far partitions are, as it is told: offsets, the age of what waits, and until when an index is fresh.
#include <gtest/gtest.h>

#include "consumer/kafka/group/coordinator_contact.h"
#include "consumer/kafka/group/partition_queues.h"
#include "tests/doubles/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class StreamStateTest : public ::testing::Test {
 protected:
  void Make(int64_t log_end, int64_t begin = 0) {
    queues_ = std::make_unique<PartitionQueues>(PartitionQueuesOptions{.max_batch_records = 2, .clock = &clock_});
    queues_->Assign({0});
    queues_->Open(std::make_shared<KafkaAssignment>(lease_, "t", 0, 8), {.committed = begin, .log_end = log_end});
    const Opening opening = std::get<Opening>(queues_->Take());
    EXPECT_TRUE(queues_->Begin(opening.assignment, begin).ok());
    queues_->Reading(0);
  }
  void Offer(int64_t offset, int64_t time) { queues_->Offer(0, {offset, time, "k", "v"}); }
  PartitionQueues::RawBatch Take() {
    PartitionQueues::Taken taken = queues_->Take();
    while (std::holds_alternative<Committed>(taken)) taken = queues_->Take();
    return std::get<PartitionQueues::RawBatch>(taken);
  }
  /// A broker reports the end of the log at this time.
  void Ends(int64_t end, int64_t wall_millis) {
    clock_.Set(wall_millis + 1'000);
    queues_->NoteEnds({{.partition = 0, .end = end, .ago = milliseconds(1'000)}, {.partition = 9, .end = 1}});
  }
  void Done(const PartitionQueues::RawBatch& batch) {
    queues_->Done(batch.log, batch.assignment, batch.messages->next_offset(), batch.messages->size());
  }
  PartitionState state() { return queues_->state().partitions.at(0); }

  FakeClock clock_;
  const std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(&clock_, milliseconds(1'000'000));
  std::unique_ptr<PartitionQueues> queues_;
};

TEST_F(StreamStateTest, TellsTheOldestThatIsNotDoneInHandOrQueued) {
  Make(3);
  EXPECT_EQ(state().oldest_time, std::nullopt);
  for (int64_t i = 0; i < 3; ++i) Offer(i, 1000 + i);
  EXPECT_EQ(state().oldest_time, 1000);
  const auto first = Take();
  EXPECT_EQ(state().oldest_time, 1000) << "in hand";
  EXPECT_EQ(state().applied, 0);
  Done(first);
  EXPECT_EQ(state().applied, 2);
  EXPECT_EQ(state().applied_time, 1001);
  EXPECT_EQ(state().oldest_time, 1002) << "queued";
  Done(Take());
  EXPECT_EQ(state().oldest_time, std::nullopt);
  EXPECT_EQ(state().applied, 3);
}

TEST_F(StreamStateTest, TheEndIsWhereABrokerSaysThatItIs) {
  Make(3);
  EXPECT_EQ(state().log_end, 3);
  Ends(70, 5000);
  EXPECT_EQ(state().log_end, 70);
  Ends(60, 6000);
  EXPECT_EQ(state().log_end, 70) << "an answer that is late";
  EXPECT_EQ(queues_->state().log_end_checked, 6000);
}

TEST_F(StreamStateTest, FreshUntilTheOldestThatWaitsElseUntilTheEndWasTold) {
  Make(2);
  EXPECT_EQ(state().fresh_until, std::nullopt);
  Offer(0, 1000);
  EXPECT_EQ(state().fresh_until, 999);
  Offer(1, 2000);
  Done(Take());
  EXPECT_EQ(state().fresh_until, 999) << "when the end was told is not known yet";
  Ends(2, 9000);
  EXPECT_EQ(state().fresh_until, 9000);
  Offer(2, 3000);
  EXPECT_EQ(state().fresh_until, 9000) << "it never falls";
  Ends(3, 20'000);
  EXPECT_EQ(state().fresh_until, 9000) << "one waits";
}

TEST_F(StreamStateTest, WhatIsNotFetchedYetCountsFromTheLastThatIsDone) {
  Make(100);
  Offer(0, 1000);
  Done(Take());
  EXPECT_EQ(state().oldest_time, std::nullopt);
  EXPECT_EQ(state().applied_time, 1000);
  EXPECT_EQ(state().fresh_until, 1000);
}

TEST_F(StreamStateTest, MessagesThatTheLogHadAMinuteAgoAreOldWhateverTheirTimes) {
  Make(3);
  for (int64_t i = 0; i < 6; ++i) Offer(i, 1);
  clock_.Advance(kOldAge - milliseconds(1'500));
  queues_->NoteEnds({{.partition = 0, .end = 5, .ago = milliseconds(500)}});
  auto batch = Take();
  EXPECT_EQ(batch.old_below, 0);
  Done(batch);
  clock_.Advance(milliseconds(1'500));
  batch = Take();
  EXPECT_EQ(batch.old_below, 3) << "the end at the opening";
  Done(batch);
  clock_.Advance(kOldAge - milliseconds(2'000));
  EXPECT_EQ(Take().old_below, 5) << "as the broker reported it";
}

TEST_F(StreamStateTest, MessagesWithoutATimeTellNone) {
  Make(3);
  Offer(0, 0);
  Done(Take());
  Offer(1, 0);
  EXPECT_EQ(state().oldest_time, std::nullopt);
  EXPECT_EQ(state().applied_time, std::nullopt);
  EXPECT_EQ(state().fresh_until, std::nullopt);
}

TEST_F(StreamStateTest, ALostPartitionIsNotTold) {
  Make(3);
  EXPECT_EQ(queues_->state().topic_partitions, 8);
  EXPECT_EQ(queues_->state().assigned, 1);
  queues_->FenceAll(/*keep=*/true);
  EXPECT_TRUE(queues_->state().partitions.empty());
  EXPECT_EQ(queues_->state().assigned, 1);
  queues_->FenceAll(/*keep=*/false);
  EXPECT_EQ(queues_->state().assigned, 0);
}

TEST_F(StreamStateTest, TheCommitIsKnownFromTheBegin) {
  Make(10, 4);
  EXPECT_EQ(state().committed, 4);
  queues_->Committed({{0, 6}});
  EXPECT_EQ(state().committed, 6);
}

TEST(LogEndsTest, AreThoseOfPartitionsThatAreFetchedFromAConnectedBroker) {
  const char* text = R"({"brokers":{"b:1/1":{"nodeid":1,"source":"learned","state":"UP","rxidle":250000},
                                    "b:2/2":{"nodeid":2,"source":"learned","state":"DOWN","rxidle":1},
                                    "GroupCoordinator":{"nodeid":3,"source":"logical","state":"UP","rxidle":1}},
      "topics":{"t":{"partitions":{
        "0":{"partition":0,"broker":1,"fetch_state":"active","ls_offset":7,"hi_offset":9},
        "1":{"partition":1,"broker":1,"fetch_state":"active","ls_offset":-1001,"hi_offset":9},
        "2":{"partition":2,"broker":1,"fetch_state":"active","ls_offset":-1001,"hi_offset":-1001},
        "3":{"partition":3,"broker":2,"fetch_state":"active","ls_offset":7,"hi_offset":9},
        "4":{"partition":4,"broker":3,"fetch_state":"active","ls_offset":7,"hi_offset":9},
        "5":{"partition":5,"broker":1,"fetch_state":"stopped","ls_offset":7,"hi_offset":9}}}}})";
  const std::vector<ToldEnd> ends = LogEnds(text, "t");
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].end, 7);
  EXPECT_EQ(ends[0].ago, milliseconds(250));
  EXPECT_EQ(ends[1].partition, 1);
  EXPECT_EQ(ends[1].end, 9);
  EXPECT_TRUE(LogEnds(text, "u").empty());
  for (const char* none : {"", "{", "[]", "7", R"({"brokers":7})", R"({"brokers":{"x":7}})", R"({"topics":7})",
                           R"({"topics":{"t":{"partitions":{"0":7}}}})"}) {
    EXPECT_TRUE(LogEnds(none, "t").empty()) << none;
  }
}

}  // namespace
}  // namespace fensi::consumer
