// Where requests begin, and that only the owner who knows the last note writes the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/partition_progress.h"
#include "indexer/requests/position.h"
#include "tests/indexer/support/storm_store.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::MetaRow;
using indexer::RequestsPosition;

class RequestsPositionTest : public ::testing::Test {
 protected:
  RequestsPosition Owner() { return Through(world_.faulty()); }
  RequestsPosition Through(store::Store* store) {
    return {&world_.index(), MetaRow(&world_.index(), store, world_.clock()), 0};
  }
  consumer::RequestPosition Opened(int64_t log_start, int64_t log_end) {
    const auto start = Owner().Open({log_start, log_end});
    Must(start.status());
    return *start;
  }
  /// What the cell says, read by nobody who means to go on.
  consumer::RequestPosition Said() {
    const auto cell = MetaRow(&world_.index(), world_.store()).Read("requests/0");
    Must(cell.status());
    const auto start = indexer::ParseRequestsPosition(world_.index(), **cell);
    Must(start.status());
    return *start;
  }
  std::string Losses() {
    const auto progress = indexer::ReadPartitionProgress(world_.index(), world_.store());
    Must(progress.status());
    return progress->losses;
  }
  void Keep(const std::string& value) { Must(MetaRow(&world_.index(), world_.store()).Write("requests/0", 5, value)); }
  World world_{ValueRule(), true};
};

TEST_F(RequestsPositionTest, WhatWasNotedAndNotDoneMayHaveBegun) {
  RequestsPosition owner = Owner();
  Must(owner.Open({0, 9}).status());
  EXPECT_EQ(Said().noted, 0);
  Must(owner.Note(3));
  EXPECT_EQ(Said().done, 0);
  EXPECT_EQ(Said().noted, 3);
  Must(owner.Done(3));
  EXPECT_EQ(Said().done, 3);
  EXPECT_EQ(Said().noted, 3);
}

TEST_F(RequestsPositionTest, ARedoInSmallerBatchesKeepsWhatMayHaveBegun) {
  Keep("2 7 aaaaaaaaaaaaaaaa");
  RequestsPosition owner = Owner();
  Must(owner.Open({0, 9}).status());
  Must(owner.Note(4));
  Must(owner.Done(4));
  EXPECT_EQ(Said().done, 4);
  EXPECT_EQ(Said().noted, 7);
}

TEST_F(RequestsPositionTest, ANoteOverAnotherOwnersIsFenced) {
  RequestsPosition paused = Owner(), next = Owner();
  Must(paused.Open({0, 9}).status());
  Must(next.Open({0, 9}).status());
  Must(next.Note(1));
  const Status late = paused.Note(2);
  EXPECT_EQ(late.code(), StatusCode::kFenced);
  EXPECT_THAT(late.message(), HasSubstr("another daemon owns the requests"));
  EXPECT_EQ(Said().noted, 1);
}

TEST_F(RequestsPositionTest, ALateEndOfAPausedOwnerDoesNotEndWhatTheNextOneBegan) {
  Keep("0 2 aaaaaaaaaaaaaaaa");
  RequestsPosition paused = Owner(), next = Owner();
  Must(paused.Open({0, 9}).status());
  Must(next.Open({0, 9}).status());
  Must(next.Note(2));
  EXPECT_EQ(paused.Done(2).code(), StatusCode::kFenced);
  EXPECT_EQ(Said().done, 0);
}

TEST_F(RequestsPositionTest, ANoteWhoseReplyIsLostIsWritten) {
  for (const auto when : {store::FaultyStore::When::kBefore, store::FaultyStore::When::kAfter}) {
    world_.Reset();
    RequestsPosition owner = Owner();
    Must(owner.Open({0, 9}).status());
    world_.faulty()->FailCall(1, when, {}, store::FaultyStore::Call::kCompareAndPut);
    Must(owner.Note(3));
    EXPECT_EQ(Said().noted, 3);
    Must(owner.Done(3));
  }
}

/// The next owner takes what is noted late for not begun, and so must everybody behind him.
TEST_F(RequestsPositionTest, ANoteThatTheNextOwnerDidNotSeeComesToNothing) {
  for (const char* before : {"", "2 2 aaaaaaaaaaaaaaaa"}) {
    world_.Reset();
    if (*before != 0) Keep(before);
    StormStore storm(world_.store(), world_.store(), {{2, 1000}}, {});
    RequestsPosition paused = Through(&storm);
    const auto start = paused.Open({0, 9});
    Must(start.status());
    EXPECT_FALSE(paused.Note(7).ok());
    storm.NewOwner();
    Opened(0, 9);
    storm.Drain();
    EXPECT_EQ(Said().noted, start->noted) << before;
  }
}

/// Two owners with every interleaving of their calls: one note arrives late, before each call of the next owner.
TEST_F(RequestsPositionTest, OfTwoOwnersOneNotesWhereverTheCallsOfTheOtherFall) {
  for (int held = 1; held <= 3; ++held) {
    for (int delay = 1; delay <= 8; ++delay) {
      world_.Reset();
      StormStore storm(world_.store(), world_.store(), {{held, delay}}, {});
      RequestsPosition paused = Through(&storm);
      const bool opened = paused.Open({0, 9}).ok();
      for (int64_t end = 1; opened && paused.Note(end).ok() && paused.Done(end).ok(); ++end) {
      }
      storm.NewOwner();
      RequestsPosition next = Through(&storm);
      const auto start = next.Open({0, 9});
      Must(start.status());
      const Status noted = next.Note(start->noted + 1);
      storm.Drain();
      const consumer::RequestPosition now = Said();
      if (noted.ok()) {
        EXPECT_EQ(now.noted, start->noted + 1) << held << " " << delay;
        EXPECT_EQ(now.done, start->done) << held << " " << delay;
      } else {
        EXPECT_EQ(noted.code(), StatusCode::kFenced);
        EXPECT_GE(now.noted, start->noted);
      }
    }
  }
}

TEST_F(RequestsPositionTest, WhatMayHaveBegunAndIsGoneStopsTheIndexWithARemedy) {
  Keep("2 7 aaaaaaaaaaaaaaaa");
  for (const consumer::RequestLog& log : {consumer::RequestLog{3, 9}, consumer::RequestLog{0, 6}}) {
    RequestsPosition owner = Owner();
    const Status gap = owner.Open(log).status();
    EXPECT_EQ(gap.code(), StatusCode::kGap);
    EXPECT_THAT(gap.message(),
                HasSubstr("topic inverse.requests partition 0: requests at offsets 2 to 7 may have begun"));
    EXPECT_THAT(gap.message(), HasSubstr("Build the index again. While applications read the index"));
  }
}

TEST_F(RequestsPositionTest, ALogThatLostOnlyWhatHadNotBegunIsReadFromItsBeginning) {
  Keep("5 5 aaaaaaaaaaaaaaaa");
  EXPECT_EQ(Opened(7, 9).done, 7);
  EXPECT_EQ(Opened(0, 3).done, 0) << "another topic of this name";
}

TEST_F(RequestsPositionTest, WhatIsLostIsNotedBeforeAPositionHidesIt) {
  Keep("5 5 aaaaaaaaaaaaaaaa");
  EXPECT_EQ(Losses(), "");
  Opened(5, 9);
  EXPECT_EQ(Losses(), "") << "all that is gone was applied";
  Opened(7, 9);
  const std::string lost = Losses();
  EXPECT_THAT(lost, ::testing::StartsWith("0: 5 7 "));
  RequestsPosition owner = Owner();
  Must(owner.Open({7, 9}).status());
  EXPECT_EQ(Losses(), lost) << "the same once more is no other loss";
  Must(owner.Note(9));
  Must(owner.Done(9));
  EXPECT_EQ(Losses(), lost);
  Opened(0, 3);
  EXPECT_THAT(Losses(), ::testing::StartsWith("0: 9 0 ")) << "another topic of this name";
}

TEST_F(RequestsPositionTest, AnotherLogIsReadFromItsBeginningAndTheLossIsNoted) {
  Keep("5 5 aaaaaaaaaaaaaaaa");
  EXPECT_EQ(Opened(0, 9).done, 5) << "of a version that made no commits";
  Must(indexer::NoteCommittedRequests(MetaRow(&world_.index(), world_.store(), world_.clock()), FakeAssignment()));
  const auto opened = [&](bool committed) {
    const auto start = Owner().Open({0, 9, committed});
    Must(start.status());
    return start->done;
  };
  EXPECT_EQ(opened(true), 5);
  EXPECT_EQ(Losses(), "");
  EXPECT_EQ(opened(false), 0) << "Kafka has forgotten the commit together with the topic";
  const std::string lost = Losses();
  EXPECT_THAT(lost, ::testing::StartsWith("0: 5 0 "));
  EXPECT_EQ(opened(false), 0);
  EXPECT_NE(Losses(), lost) << "of a third log none was done, and it is lost all the same";
}

TEST_F(RequestsPositionTest, ThoseOfAnotherLogThatMayHaveBegunAreAGap) {
  Keep("2 7 aaaaaaaaaaaaaaaa");
  Must(indexer::NoteCommittedRequests(MetaRow(&world_.index(), world_.store(), world_.clock()), FakeAssignment()));
  const Status gap = Owner().Open({0, 9, false}).status();
  EXPECT_EQ(gap.code(), StatusCode::kGap);
  EXPECT_THAT(
      gap.message(),
      HasSubstr("requests at offsets 2 to 7 may have begun, and the log holds offsets 0 to 9 of another topic"));
}

TEST_F(RequestsPositionTest, WhatWasLostBeforeAnyWasAppliedIsNotedToo) {
  EXPECT_EQ(Opened(0, 9).done, 0);
  EXPECT_EQ(Losses(), "");
  EXPECT_EQ(Opened(4, 9).done, 4);
  EXPECT_THAT(Losses(), ::testing::StartsWith("0: 0 4 "));
}

TEST_F(RequestsPositionTest, APositionThatIsNoneIsNotGuessed) {
  for (const char* value : {"", "5", "5 4 a", "x y z", "1 2 a b", "-1 2 a"}) {
    Keep(value);
    RequestsPosition owner = Owner();
    EXPECT_EQ(owner.Open({0, 9}).status().code(), StatusCode::kInternal) << value;
  }
}

}  // namespace
}  // namespace fensi::testing
