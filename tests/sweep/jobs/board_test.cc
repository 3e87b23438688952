// The board of a job: who takes what, what a late worker cannot set back, and what a person sees who breaks it.
#include "sweep/jobs/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/backfill_world.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

const std::vector<RowRange> kTwo = {{"", "m"}, {"m", ""}};

TEST(RangesOf, CutsWhereRegionsBegin) {
  EXPECT_THAT(RangesOf({"", "b", "d", "f"}, {"", ""}, 10),
              ElementsAre(RowRange{"", "b"}, RowRange{"b", "d"}, RowRange{"d", "f"}, RowRange{"f", ""}));
  EXPECT_THAT(RangesOf({"", "b", "d", "f"}, {"b", "e"}, 10), ElementsAre(RowRange{"b", "d"}, RowRange{"d", "e"}));
  EXPECT_THAT(RangesOf({""}, {"", ""}, 10), ElementsAre(RowRange{"", ""}));
  EXPECT_THAT(RangesOf({"", "b"}, {"x", "y"}, 10), ElementsAre(RowRange{"x", "y"}));
}

TEST(RangesOf, GroupsNeighboursOfTooManyAndLosesNone) {
  std::vector<std::string> starts = {""};
  for (int i = 0; i < 25'000; ++i) starts.push_back(BackfillWorld::RowKey(i));
  const auto ranges = RangesOf(starts, {"", ""}, 10'000);
  EXPECT_LE(ranges.size(), 10'000U);
  for (size_t i = 1; i < ranges.size(); ++i) ASSERT_EQ(ranges[i].start, ranges[i - 1].stop);
  EXPECT_EQ(ranges.front().start, "");
  EXPECT_EQ(ranges.back().stop, "");
}

TEST(BoardText, KeysOfAnyBytesComeBack) {
  std::string any;
  for (int byte = 0; byte < 256; ++byte) any += static_cast<char>(byte);
  for (const std::string& key : {std::string(), std::string(" "), std::string("a b"), std::string("=\\"), any}) {
    EXPECT_EQ(RangeOf(TextOf(RowRange{key, any})), (RowRange{key, any}));
    EXPECT_EQ(PlaceOf(TextOf(Place{key, 3, 4, true}))->next, key);
  }
  EXPECT_EQ(RangeOf(TextOf(RowRange{"a", "b", "ns:t"})), (RowRange{"a", "b", "ns:t"}));
  EXPECT_EQ(PlaceOf(TextOf(Place{"a", 3, 4, true, {5, 0}}))->counts, (std::vector<int64_t>{5, 0}));
  EXPECT_EQ(JobOf(TextOf(Job{"name", 7, "rows from 'a b' to c"}))->arguments, "rows from 'a b' to c");
}

TEST(BoardText, WhatIsNoneIsNone) {
  for (const char* text : {"", "x", "open", "open 1", "open 1 2", "open 1 2 key", "open -1 2 =", "maybe 1 2 =",
                           "open 1 2 = more", "open 1 2 = -1", "open 9223372036854775807 2 =", "open 1 2 =\\xZ"}) {
    EXPECT_FALSE(PlaceOf(text)) << text;
  }
  for (const char* text : {"", "=a", "a =b", "=a =b c", "=a =b =c =d"}) EXPECT_FALSE(RangeOf(text)) << text;
  for (const char* text : {"", "walk 0 0", "run 0", "run 0 -1", "run 0 0 0"}) EXPECT_FALSE(PaceOf(text)) << text;
  for (const char* text : {"", "name", "name x args"}) EXPECT_FALSE(JobOf(text)) << text;
}

class BoardTest : public ::testing::Test {
 protected:
  std::optional<RangeLease> Take(const Board& board, const std::string& worker, HeartbeatMonitor* watch) {
    const auto view = board.Look();
    MustBe(view.status());
    const auto seat = board.Take(*view, watch, worker, 0, now_);
    MustBe(seat.status());
    return *seat;
  }
  static void Advance(const Board& board, RangeLease* seat, const std::string& next, int64_t rows, bool done = false) {
    seat->place = {next, rows, 0, done};
    MustBe(board.Advance(*seat));
  }
  Place PlaceOfRange(const Board& board, size_t range) { return board.Look()->ranges.at(range).place; }

  BackfillWorld world_;
  milliseconds now_{1000};
  HeartbeatMonitor one_, other_;
};

TEST_F(BoardTest, WhoMakesItFirstMadeIt) {
  const auto made = Board::Make(world_.Row(), std::nullopt, {"first", 1, "args", {}}, kTwo);
  MustBe(made.status());
  EXPECT_EQ(made->name, "first");
  const auto late = Board::Make(world_.Row(), std::nullopt, {"second", 2, "args", {}}, kTwo);
  MustBe(late.status());
  EXPECT_EQ(late->name, "first");
  EXPECT_EQ(Board(world_.Row(), "first").Look()->ranges.size(), 2U);
}

TEST_F(BoardTest, AJobWhoseMakerDoesNotKnowTheOutcomeIsMadeOnce) {
  for (const store::FaultyStore::When when : {store::FaultyStore::When::kBefore, store::FaultyStore::When::kAfter}) {
    world_.world().faulty()->FailCall(1, when, {}, store::FaultyStore::Call::kCompareAndPut);
    const Board board = world_.Make(kTwo);
    EXPECT_EQ(board.Look()->ranges.size(), 2U);
  }
}

TEST_F(BoardTest, ANewJobInheritsNothingAndForgetsTheLast) {
  const Board first = world_.Make(kTwo);
  RangeLease late = *Take(first, "w", &one_);
  const Board second = world_.Make(kTwo);
  Advance(first, &late, "zzz", 1'000'000, true);  // by a worker that was paused
  EXPECT_FALSE(second.Look()->ranges[late.range].place.done);
  EXPECT_EQ(second.Look()->ranges[late.range].by, std::nullopt);
  const auto beat = first.Beat(&late);
  EXPECT_EQ(beat.status().code(), StatusCode::kConfiguration);
  const auto cells = world_.Row().ReadAll();
  EXPECT_EQ(
      std::count_if(cells->begin(), cells->end(), [](const auto& cell) { return cell.first.starts_with("range/"); }),
      2);
}

TEST_F(BoardTest, TwoWorkersTakeTwoRanges) {
  const Board board = world_.Make(kTwo);
  const auto a = Take(board, "a", &one_), b = Take(board, "b", &other_);
  ASSERT_TRUE(a && b);
  EXPECT_NE(a->range, b->range);
  EXPECT_FALSE(Take(board, "c", &one_));
}

TEST_F(BoardTest, OfTwoThatTakeOneRangeAtOnceOneHasIt) {
  const Board board = world_.Make({{"", ""}});
  const auto view = board.Look();
  const auto a = board.Take(*view, &one_, "a", 0, now_), b = board.Take(*view, &other_, "b", 0, now_);
  EXPECT_TRUE((*a).has_value());
  EXPECT_FALSE((*b).has_value());
}

TEST_F(BoardTest, ARangeOfASilentWorkerIsTakenAndOfALivelyOneNot) {
  const Board board = world_.Make({{"", ""}});
  RangeLease a = *Take(board, "a", &one_);
  Advance(board, &a, "k", 10);
  EXPECT_FALSE(Take(board, "b", &other_));
  now_ += HeartbeatMonitor::kSilence - milliseconds(1);
  EXPECT_FALSE(Take(board, "b", &other_));
  MustBe(board.Beat(&a).status());
  now_ += milliseconds(1);
  EXPECT_FALSE(Take(board, "b", &other_));
  now_ += HeartbeatMonitor::kSilence;
  const auto b = Take(board, "b", &other_);
  ASSERT_TRUE(b);
  EXPECT_EQ(b->place.next, "k");
  MustBe(board.Beat(&a).status());
  EXPECT_TRUE(a.lost);
}

TEST_F(BoardTest, ASeatAboveWhichNothingCanBePutIsNamed) {
  const Board board = world_.Make({{"", ""}});
  RangeLease a = *Take(board, "a", &one_);
  MustBe(world_.Row().Write("by/" + board.job() + "/00000", INT64_MAX - 1, "a 7"));
  EXPECT_EQ(board.Beat(&a).status().code(), StatusCode::kInternal);
  HeartbeatMonitor watch(milliseconds(0));
  const auto taken = board.Take(*board.Look(), &watch, "b", 0, now_);
  EXPECT_EQ(taken.status().code(), StatusCode::kInternal);
  EXPECT_NE(taken.status().message().find("fensi did not write it"), std::string::npos);
}

TEST_F(BoardTest, ALateWorkerSetsNothingBack) {
  const Board board = world_.Make({{"", ""}});
  RangeLease a = *Take(board, "a", &one_), b = a;
  Advance(board, &b, "q", 500);
  Advance(board, &a, "c", 100);
  EXPECT_EQ(PlaceOfRange(board, 0).next, "q");
  Advance(board, &b, "z", 900, true);
  Advance(board, &a, "d", 900);
  EXPECT_TRUE(PlaceOfRange(board, 0).done);
}

TEST_F(BoardTest, WhatWasLeftIsTakenAgainAtOnceByTheSameWorker) {
  const Board board = world_.Make({{"", ""}});
  ASSERT_TRUE(Take(board, "a", &one_));
  const auto again = Take(board, "a", &one_);
  ASSERT_TRUE(again);
  const auto view = board.Look();
  EXPECT_EQ(view->ranges[0].by->value, again->by.value);
}

TEST_F(BoardTest, ABeatWhoseOutcomeIsNotKnownLosesNoSeat) {
  const Board board = world_.Make({{"", ""}});
  RangeLease a = *Take(board, "a", &one_);
  world_.world().faulty()->FailCall(1, store::FaultyStore::When::kAfter, {}, store::FaultyStore::Call::kPut);
  EXPECT_EQ(board.Beat(&a).status().code(), StatusCode::kUnavailable);
  MustBe(board.Beat(&a).status());
  EXPECT_FALSE(a.lost);
}

TEST_F(BoardTest, TellsWhatIsWanted) {
  const Board board = world_.Make({{"", ""}}, {Wish::kRun, 100, 200});
  RangeLease a = *Take(board, "a", &one_);
  MustBe(board.Steer({Wish::kPause, 5, 6}));
  const auto pace = board.Beat(&a);
  EXPECT_EQ(pace->wish, Wish::kPause);
  EXPECT_EQ(pace->rows_per_second, 5);
  EXPECT_EQ(pace->bytes_per_second, 6);
}

TEST_F(BoardTest, CountsWorkersThatMove) {
  const Board board = world_.Make(kTwo);
  RangeLease a = *Take(board, "a", &one_);
  ASSERT_TRUE(Take(board, "b", &one_));
  EXPECT_EQ(other_.Active(*board.Look(), now_), 2U);
  now_ += HeartbeatMonitor::kSilence;
  MustBe(board.Beat(&a).status());
  EXPECT_EQ(other_.Active(*board.Look(), now_), 1U);
}

TEST_F(BoardTest, ARowThatSomebodyDeletedEndsTheWork) {
  const Board board = world_.Make(kTwo);
  RangeLease a = *Take(board, "a", &one_);
  const auto view = board.Look();
  MustBe(world_.Row().Forget(*world_.Row().ReadAll()));
  EXPECT_EQ(board.Look().status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(board.Beat(&a).status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(board.Take(*view, &other_, "b", 1, now_ + HeartbeatMonitor::kSilence).status().code(), StatusCode::kOk);
}

TEST_F(BoardTest, ARangeThatSomebodyDeletedIsMissed) {
  const Board board = world_.Make(kTwo);
  for (const char* number : {"00000", "00001"}) {
    const std::string column = "range/" + board.job() + "/" + number;
    const auto before = *world_.Row().Read(column);
    MustBe(world_.Row().Forget({{column, *before}}));
    const auto view = board.Look();
    EXPECT_EQ(view.status().code(), StatusCode::kConfiguration) << column;
    if (number == std::string("00001")) {
      EXPECT_THAT(view.status().message(),
                  HasSubstr("was made with 2 ranges, and range 1 (counted from 0) is missing"));
    }
    MustBe(world_.Row().Write(column, before->timestamp + 1, before->value));
  }
}

TEST_F(BoardTest, WhatAForeignWriterPutThereIsNamed) {
  const Board board = world_.Make(kTwo);
  for (const std::string& column : {"pace/" + board.job(), "ranges/" + board.job(), "range/" + board.job() + "/00001",
                                    "at/" + board.job() + "/00000", "ended/" + board.job(), std::string("spec")}) {
    const auto before = *world_.Row().Read(column);
    MustBe(world_.Row().Write(column, 1'000'000, "rubbish"));
    const auto view = board.Look();
    EXPECT_EQ(view.status().code(), StatusCode::kInternal) << column;
    EXPECT_THAT(view.status().message(), HasSubstr("column i:" + column));
    MustBe(world_.Row().Forget({{column, meta::VersionedMetaRow::CellOf(column, 1'000'000, "")}}));
    if (before) MustBe(world_.Row().Write(column, 1'000'001, before->value));
  }
  MustBe(board.Look().status());
}

TEST_F(BoardTest, APlaceThatNoWorkerOfTheRangeWroteIsNamed) {
  struct Foreign {
    int64_t version;
    Place place;
  };
  for (const Foreign& foreign : {Foreign{1'480'000'000'000, {"b", 1, 0, false}},  // hides what workers write
                                 Foreign{4, {"x", 1, 0, false}}, Foreign{5, {"x", 1, 0, true}}}) {
    BackfillWorld world;
    const Board board = world.Make(kTwo);
    MustBe(world.Row().Write("at/" + board.job() + "/00000", foreign.version, TextOf(foreign.place)));
    EXPECT_THAT(board.Look().status().message(), HasSubstr("column i:at/" + board.job() + "/00000")) << foreign.version;
  }
}

}  // namespace
}  // namespace fensi::sweep
