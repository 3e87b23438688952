// A batch taken apart: which events concern the index, and which units of which rows they need.
#include "indexer/plan/batch_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hbase_limits.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::BatchRows;
using indexer::RowWork;

consumer::Record RecordOf(const std::string& row, const std::vector<Cell>& cells, const std::string& table = "source") {
  consumer::Record record;
  record.event = {.table = table, .row = row, .cells = cells};
  return record;
}
consumer::Record RecordOf(const std::string& row, const std::string& cell) { return RecordOf(row, {ParseCell(cell)}); }

class BatchRowsTest : public ::testing::Test {
 protected:
  size_t Add(BatchRows* rows, size_t first = 0) { return rows->Add(records_, first, pace_, &letters_); }
  static std::vector<std::string> UnitsOf(BatchRows* rows, const std::string& row) {
    std::vector<std::string> units;
    for (const auto& [key, work] : rows->FindRow(row)->units) units.push_back(key);
    return units;
  }

  const std::shared_ptr<const mapping::Index> by_row_ = CompileRule(ValueRule());
  const std::shared_ptr<const mapping::Index> by_column_ = CompileRule(QualifierRule());
  indexer::StateCache cache_{1 << 20};
  indexer::SeenFilter seen_{1 << 10};
  indexer::ReadSizer pace_;
  std::vector<consumer::Record> records_;
  std::vector<indexer::Letter> letters_;
};

TEST_F(BatchRowsTest, EventsOfARowShareItAndKeepTheirOrder) {
  records_ = {RecordOf("r", "k=1@1"), RecordOf("s", "k=2@2"), RecordOf("r", "v=3@3")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  EXPECT_EQ(Add(&rows), 3u);
  ASSERT_EQ(rows.events().size(), 3u);
  EXPECT_EQ(rows.events()[0].row, rows.events()[2].row);
  EXPECT_EQ(rows.events()[2].record, 2u);
  EXPECT_THAT(UnitsOf(&rows, "r"), ElementsAre(""));
}

TEST_F(BatchRowsTest, AnIndexByColumnNeedsOnlyTheColumnsThatChanged) {
  records_ = {RecordOf("r", {ParseCell("a=1@1"), ParseCell("b=1@1")}), RecordOf("r", "a=2@2")};
  BatchRows rows(by_column_.get(), &cache_, nullptr);
  Add(&rows);
  EXPECT_THAT(UnitsOf(&rows, "r"), ElementsAre("f:a", "f:b"));
  EXPECT_FALSE(rows.FindRow("r")->all_units);
}

TEST_F(BatchRowsTest, AFamilysMarkerNeedsEveryUnitOfTheRow) {
  records_ = {RecordOf("r", "DF@5")};
  BatchRows rows(by_column_.get(), &cache_, nullptr);
  Add(&rows);
  EXPECT_TRUE(rows.FindRow("r")->all_units);
  EXPECT_EQ(rows.events()[0].markers.size(), 1u);
  EXPECT_TRUE(rows.events()[0].cells.empty());
}

TEST_F(BatchRowsTest, ADeleteWithoutKindAndQualifierMayBeAMarker) {
  records_ = {RecordOf("r", {{.family = "f", .timestamp = 5, .type = CellType::kUnknownDelete}})};
  BatchRows rows(by_column_.get(), &cache_, nullptr);
  Add(&rows);
  EXPECT_EQ(rows.events()[0].markers.size(), 1u);
}

TEST_F(BatchRowsTest, WhatTheIndexDoesNotWatchIsNoEventAndOtherTablesArePassedOver) {
  records_ = {RecordOf("r", "unwatched=1@1"), RecordOf("r", {ParseCell("k=1@1")}, "another")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  EXPECT_EQ(Add(&rows), 2u);
  EXPECT_TRUE(rows.events().empty());
  EXPECT_TRUE(letters_.empty());
}

TEST_F(BatchRowsTest, WhatCannotBeAppliedIsReportedAndTheRestGoesOn) {
  consumer::Record bad;
  bad.decoded = Status(StatusCode::kInvalidArgument, "no event");
  records_ = {bad, RecordOf("r", {{.family = "f", .qualifier = "k", .timestamp = INT64_MAX}}), RecordOf("r", "k=1@1")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  Add(&rows);
  ASSERT_EQ(letters_.size(), 2u);
  EXPECT_EQ(letters_[0].reason, "no event");
  EXPECT_THAT(letters_[1].reason,
              HasSubstr("column f:k: timestamp 9223372036854775807: HBase stores timestamps from 0"));
  EXPECT_EQ(rows.events().size(), 1u);
}

TEST_F(BatchRowsTest, ACellOfAnotherColumnMayHaveAnyTime) {
  records_ = {RecordOf("r", {ParseCell("k=1@1"), {.family = "f", .qualifier = "no", .timestamp = INT64_MAX}})};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  Add(&rows);
  EXPECT_TRUE(letters_.empty());
  EXPECT_EQ(rows.events().size(), 1u);
}

TEST_F(BatchRowsTest, APutAboveAllThatIsTakenHidesItsColumnAndIsReported) {
  records_ = {RecordOf("r", {{.family = "f", .qualifier = "k", .timestamp = kMaxSourceTime, .value = "1"}}),
              RecordOf("r", {{.family = "f", .qualifier = "k", .timestamp = kMaxSourceTime + 1, .value = "1"}})};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  Add(&rows);
  ASSERT_EQ(rows.events().size(), 2u);
  EXPECT_EQ(*rows.events()[0].cells[0], records_[0].event.cells[0]);
  EXPECT_EQ(*rows.events()[1].cells[0],
            (Cell{.family = "f", .qualifier = "k", .timestamp = kAboveSourceTimes, .type = CellType::kDeleteColumn}));
  ASSERT_EQ(letters_.size(), 1u);
  EXPECT_EQ(letters_[0].record, 1u);
  EXPECT_THAT(letters_[0].reason, HasSubstr("column f:k: the put of time 9223370937343148032 is above"));
}

TEST_F(BatchRowsTest, StopsWhereMoreStatesWouldHaveToBeReadThanMayBe) {
  for (size_t i = 0; i < 2 * pace_.units(); ++i) records_.push_back(RecordOf("r" + std::to_string(i), "k=1@1"));
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  const size_t left = Add(&rows);
  EXPECT_EQ(left, pace_.units());
  BatchRows rest(by_row_.get(), &cache_, nullptr);
  EXPECT_EQ(Add(&rest, left), records_.size());
}

TEST_F(BatchRowsTest, StatesThatSurelyDoNotExistAreNotRead) {
  for (size_t i = 0; i < 2 * pace_.units(); ++i) records_.push_back(RecordOf("r" + std::to_string(i), "k=1@1"));
  BatchRows rows(by_row_.get(), &cache_, &seen_);
  EXPECT_EQ(Add(&rows), records_.size());
  EXPECT_TRUE(rows.FindRow("r0")->surely_new);
  seen_.Add(indexer::SeenHash("r0"));
  BatchRows again(by_row_.get(), &cache_, &seen_);
  Add(&again);
  EXPECT_FALSE(again.FindRow("r0")->surely_new);
}

TEST_F(BatchRowsTest, WhatWasRememberedIsKnownToTheNextBatch) {
  records_ = {RecordOf("r", "k=1@1")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  Add(&rows);
  EXPECT_FALSE(rows.FindRow("r")->units.at("").known);
  rows.FindRow("r")->units.at("").unit.version = 41;
  rows.FindRow("r")->units.at("").known = true;
  rows.Remember();
  BatchRows next(by_row_.get(), &cache_, nullptr);
  Add(&next);
  EXPECT_TRUE(next.FindRow("r")->units.at("").known);
  EXPECT_EQ(next.FindRow("r")->units.at("").unit.version, 41);
}

TEST_F(BatchRowsTest, AUnitWithAnOpenIntentIsNotRemembered) {
  records_ = {RecordOf("r", "k=1@1")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  Add(&rows);
  rows.FindRow("r")->units.at("").known = true;
  rows.FindRow("r")->units.at("").unit.doubt.intent = true;
  rows.Remember();
  BatchRows next(by_row_.get(), &cache_, nullptr);
  Add(&next);
  EXPECT_FALSE(next.FindRow("r")->units.at("").known);
}

TEST_F(BatchRowsTest, EndsBeforeTheFirstEventWhoseRowIsNotLoaded) {
  records_ = {RecordOf("a", "k=1@1"), RecordOf("b", "k=1@1"), RecordOf("a", "k=2@2")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  size_t next = Add(&rows);
  rows.in_order().front()->loaded = true;
  rows.LeaveOutUnknown(&next);
  EXPECT_EQ(next, 1u);
  ASSERT_EQ(rows.events().size(), 1u);
  EXPECT_EQ(rows.events()[0].row->row, "a");
  rows.LeaveOutFrom(1, &next);
  EXPECT_EQ(next, 1u);
}

TEST_F(BatchRowsTest, KeepsRowsThatWaitForALookAndForgetsWhatIsNotKnown) {
  records_ = {RecordOf("a", "k=1@1"), RecordOf("b", "k=1@1")};
  BatchRows rows(by_row_.get(), &cache_, nullptr);
  Add(&rows);
  indexer::UnitWork* waiting = &rows.FindRow("a")->units.at("");
  waiting->known = waiting->doubtful = waiting->dirty = true;
  rows.SetClean();
  rows.Remember();
  ASSERT_EQ(rows.in_order().size(), 1u);
  EXPECT_EQ(rows.in_order()[0]->row, "a");
  EXPECT_TRUE(waiting->dirty);
  BatchRows next(by_row_.get(), &cache_, nullptr);
  Add(&next);
  EXPECT_FALSE(next.FindRow("b")->units.at("").known);
}

TEST_F(BatchRowsTest, AUnitThatNoEventNamesMayBeWanted) {
  BatchRows rows(by_column_.get(), &cache_, nullptr);
  const indexer::UnitWork* work = rows.Want("r", "f", "a");
  EXPECT_EQ(work, rows.Want("r", "f", "a"));
  EXPECT_EQ(work->unit.row, "r");
  EXPECT_THAT(UnitsOf(&rows, "r"), ElementsAre("f:a"));
}

TEST_F(BatchRowsTest, CleanRowsHaveNothingToStore) {
  records_ = {RecordOf("r", "a=1@1")};
  BatchRows rows(by_column_.get(), &cache_, nullptr);
  Add(&rows);
  RowWork* row = rows.FindRow("r");
  indexer::UnitWork* work = row->FindOrAdd("f", "a");
  row->families_dirty = work->dirty = work->doubt_dirty = true;
  rows.SetClean();
  EXPECT_FALSE(row->families_dirty || work->dirty || work->doubt_dirty);
}

}  // namespace
}  // namespace fensi::testing
