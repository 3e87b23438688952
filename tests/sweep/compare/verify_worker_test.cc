// Workers that share one comparison: exactly what differs is found, and each row is counted once, whoever dies when.
#include "sweep/compare/verify_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random_name.h"
#include "meta/versioned_meta_row.h"
#include "support/sweep_world.h"
#include "sweep/compare/finding_store.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using Call = store::FaultyStore::Call;
using When = store::FaultyStore::When;

constexpr int kSourceRows = 60;
constexpr char kJobRow[] = "job:fensi:verify";

class VerifyWorkerTest : public ::testing::Test {
 protected:
  explicit VerifyWorkerTest(std::shared_ptr<const mapping::Index> index = FollowIndex()) : world_(std::move(index)) {
    MustBe(world_.store()->CreateTable(meta::MetaTable("fensi_meta"), {}));
  }

  static std::string RowKey(int number) { return "r" + std::to_string(100 + number); }
  void PutRows() {
    for (int i = 0; i < kSourceRows; ++i) {
      world_.PutSource(RowKey(i), "f1:from", i % 2 == 0 ? "a" : "m");
      world_.Index(RowKey(i));
    }
  }
  void Damage() {
    world_.RemoveCell(Follower("m", RowKey(3)));
    world_.PutCell(Follower("a", RowKey(40), "7"));
    world_.PutCell(Follower("o", RowKey(55)));
  }
  std::vector<std::string> Damaged() const {
    return {"content_differs r140 -> x_table a f1:r140", "missing r103 -> x_table m f1:r103",
            "orphan r155 -> x_table o f1:r155"};
  }

  meta::VersionedMetaRow Row() { return {world_.faulty(), "fensi_meta", kJobRow, world_.clock()}; }
  Board Make(const JobPace& pace = {}) {
    const auto known = Board::Find(Row());
    MustBe(known.status());
    const auto job = Board::Make(Row(), *known, {RandomName(), 1, "all rows", pace},
                                 {{"", RowKey(25)}, {RowKey(25), ""}, {"", "k", "x_table"}, {"k", "", "x_table"}});
    MustBe(job.status());
    return {Row(), job->name};
  }
  FindingStore Found(const Board& board) { return {world_.faulty(), "fensi_meta", kJobRow, board.job()}; }
  Status RunOne(const Board& board, JudgeOptions judge = {}) {
    const FindingStore found = Found(board);
    VerifyDependencies parts{.index = &world_.index(), .store = world_.faulty(), .found = &found};
    parts.judge = std::move(judge);
    parts.piece_rows = piece_rows_;
    parts.most_found = most_found_;
    parts.range = {&board, world_.clock(), RandomName(), alone_, [this] { return go_on ? go_on() : Status(); }};
    return VerifyWorker(std::move(parts)).Run();
  }
  std::vector<std::string> Texts(const Board& board) {
    FindingList list;
    MustBe(Found(board).ForEach([&](const Finding& finding) { return list.Add(finding); }));
    return list.Texts();
  }
  /// "ROWS CELLS GOOD": each row once.
  std::string Counted(const Board& board) {
    Counts counts;
    AddCounts(board.Look()->sum().counts, &counts);
    return std::to_string(counts.rows) + " " + std::to_string(counts.cells) + " " + std::to_string(counts.good);
  }

  SweepWorld world_;
  size_t piece_rows_ = 7;
  int64_t most_found_ = 1000;
  bool alone_ = true;
  std::function<Status()> go_on;
};

TEST_F(VerifyWorkerTest, FindsExactlyWhatDiffersInBothDirections) {
  PutRows();
  const Board whole = Make();
  MustBe(RunOne(whole));
  EXPECT_THAT(Texts(whole), IsEmpty());
  EXPECT_EQ(Counted(whole), "60 60 60");
  Damage();
  const Board board = Make();
  MustBe(RunOne(board));
  EXPECT_EQ(Texts(board), Damaged());
  EXPECT_EQ(Counted(board), "60 60 58");  // of the index one cell less, and one more
  EXPECT_TRUE(board.Look()->sum().done);
}

TEST_F(VerifyWorkerTest, WhoeverDiesInWhichCallTheNextOneEndsItAndCountsEachRowOnce) {
  PutRows();
  Damage();
  for (int call = 1;; call += 3) {
    const Board board = Make();
    world_.faulty()->FailCall(call, call % 2 == 0 ? When::kBefore : When::kAfter, {StatusCode::kInternal, "died"});
    const Status first = RunOne(board);
    world_.faulty()->Heal();
    MustBe(RunOne(board));
    ASSERT_EQ(Texts(board), Damaged()) << "call " << call;
    ASSERT_EQ(Counted(board), "60 60 58") << "call " << call;
    if (!first.ok()) continue;
    EXPECT_GT(call, 20);
    break;
  }
}

TEST_F(VerifyWorkerTest, AnotherOneInsideAnyCallFindsAndCountsNothingTwice) {
  PutRows();
  Damage();
  for (int turn = 1; turn < 60; turn += 4) {
    const Board board = Make();
    // Who is alone takes what the other one has in hand: both work on one range.
    int calls = 0;
    world_.faulty()->SetObserver([&](Call, const std::string&) {
      if (++calls == turn) MustBe(RunOne(board));
      return Status();
    });
    MustBe(RunOne(board));
    world_.faulty()->SetObserver({});
    ASSERT_EQ(Texts(board), Damaged()) << "turn " << turn;
    ASSERT_EQ(Counted(board), "60 60 58") << "turn " << turn;
  }
}

TEST_F(VerifyWorkerTest, OnlyTheChosenSourceRowsAreComparedFromBothSides) {
  PutRows();
  Damage();
  const auto known = Board::Find(Row());
  MustBe(known.status());
  const auto job = Board::Make(Row(), *known, {RandomName(), 1, "some", {}}, {{"r150", "r160"}, {"", "", "x_table"}});
  MustBe(job.status());
  const Board board(Row(), job->name);
  const FindingStore found = Found(board);
  VerifyDependencies parts{
      .index = &world_.index(), .store = world_.faulty(), .found = &found, .source_rows = {"r150", "r160"}};
  parts.range = {&board, world_.clock(), RandomName(), true, [] { return Status(); }};
  MustBe(VerifyWorker(std::move(parts)).Run());
  EXPECT_THAT(Texts(board), ElementsAre("orphan r155 -> x_table o f1:r155"));
  EXPECT_EQ(Counted(board), "10 11 10");
}

TEST_F(VerifyWorkerTest, WhatIsYoungerIsCountedInThePlacesToo) {
  PutRows();
  world_.PutSource("young", "f1:from", "m", 1000);
  const Board board = Make();
  MustBe(RunOne(board, {.as_of = 500}));
  Counts counts;
  AddCounts(board.Look()->sum().counts, &counts);
  EXPECT_EQ(counts.younger, 1);
  EXPECT_THAT(Texts(board), IsEmpty());
}

TEST_F(VerifyWorkerTest, WhenTooMuchDiffersItEndsAndSaysSo) {
  for (int i = 0; i < kSourceRows; ++i) world_.PutSource(RowKey(i), "f1:from", "m");
  most_found_ = 20;
  const Board board = Make();
  const Status ended = RunOne(board);
  EXPECT_EQ(ended.code(), StatusCode::kRejected);
  EXPECT_THAT(ended.message(), ::testing::HasSubstr("more than 20 cells and rows differ"));
  EXPECT_LE(Texts(board).size(), size_t{2 * 20 + 7});
  EXPECT_FALSE(board.Look()->sum().done);
}

TEST_F(VerifyWorkerTest, ThePaceOfTheJobIsKept) {
  PutRows();
  const auto began = world_.clock()->MonotonicNow();
  const Board board = Make({Wish::kRun, 10, 0});
  MustBe(RunOne(board));
  EXPECT_GE(world_.clock()->MonotonicNow() - began, std::chrono::seconds(5));
}

TEST_F(VerifyWorkerTest, APersonMayCancelItWhileItWaits) {
  PutRows();
  Damage();
  const Board board = Make();
  world_.clock()->on_sleep = [&] { MustBe(board.Steer({Wish::kCancel})); };
  EXPECT_EQ(RunOne(board).code(), StatusCode::kCancelled);
}

TEST_F(VerifyWorkerTest, ABoardThatSomebodyDeletedEndsItWithTheReason) {
  PutRows();
  const Board board = Make();
  MustBe(Row().Forget(*Row().ReadAll()));
  EXPECT_EQ(RunOne(board).code(), StatusCode::kConfiguration);
}

TEST_F(VerifyWorkerTest, WhatAnEarlierJobFoundIsForgottenAndNothingElse) {
  PutRows();
  Damage();
  const Board first = Make();
  MustBe(RunOne(first));
  const Board second = Make();
  MustBe(RunOne(second));
  const auto current = [&](const Board& board) { return [&board] { return board.Look().status(); }; };
  EXPECT_EQ(Found(first).ForgetOthers(current(first)).code(), StatusCode::kConfiguration);
  MustBe(Found(second).ForgetOthers(current(second)));
  EXPECT_THAT(Texts(first), IsEmpty());
  EXPECT_EQ(Texts(second), Damaged());
  EXPECT_TRUE(second.Look()->sum().done);
}

TEST_F(VerifyWorkerTest, WhatIsNoFindingIsNamed) {
  const Board board = Make();
  MustBe(meta::VersionedMetaRow(world_.store(), "fensi_meta", std::string(kJobRow) + ":" + board.job() + ":00000")
             .Write("x", 1, "nonsense"));
  const Status status = Found(board).ForEach([](const Finding&) { return Status(); });
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("holds 'nonsense'"));
}

class UnmappableRows : public VerifyWorkerTest {
 protected:
  UnmappableRows()
      : VerifyWorkerTest(mapping::LoadIndex({"row: '{f:a | int | to_be 8}{row}'", "columns: { 'f:': '' }"})) {}
};

TEST_F(UnmappableRows, AreAllCountedAndTheFirstOfThemKept) {
  constexpr int64_t kMany = VerifyWorker::kMostUnmappable + 200;
  for (int i = 0; i < kMany; ++i) world_.PutSource("s" + std::to_string(i), "f:a", "no number");
  piece_rows_ = 300;
  const Board board = Make();
  MustBe(RunOne(board));
  Counts counts;
  AddCounts(board.Look()->sum().counts, &counts);
  EXPECT_EQ(counts.unmappable, kMany);
  EXPECT_THAT(Texts(board), SizeIs(VerifyWorker::kMostUnmappable));
}

TEST(FoundText, AnyFindingComesBack) {
  std::string any;
  for (int byte = 0; byte < 256; ++byte) any += static_cast<char>(byte);
  Finding finding{.kind = Finding::Kind::kContentDiffers, .source = {any, {}}, .cell = {"t", any, "f", ""}};
  finding.expected = " ";
  finding.timestamp = INT64_MAX;
  finding.seen = 1;
  finding.confirmed = 2;
  for (const bool column : {false, true}) {
    if (column) finding.source.column = {"", any};
    const std::optional<Finding> read = FindingOf(TextOf(finding));
    ASSERT_TRUE(read);
    EXPECT_EQ(TextOf(*read), TextOf(finding));
    EXPECT_EQ(read->source, finding.source);
    EXPECT_EQ(read->timestamp, INT64_MAX);
  }
  const std::string text = TextOf(finding);
  for (const std::string& broken : {std::string(), "worse " + text, text + " =more", text.substr(0, text.rfind(' '))}) {
    EXPECT_FALSE(FindingOf(broken)) << broken;
  }
}

}  // namespace
}  // namespace fensi::sweep
