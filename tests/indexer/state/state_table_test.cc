// Which cells of the state table a row needs, what they mean, and what is written of it.
#include "indexer/state/state_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/indexer/state/made_unit.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::RowWork;
using indexer::UnitWork;
using Columns = std::vector<store::GetRequest::Column>;

constexpr bool kRowUnits = true;
constexpr bool kColumnUnits = false;

/// Nothing: no read.
std::optional<Columns> Missing(const RowWork& row, bool row_units) {
  store::GetRequest request;
  if (!indexer::MissingState(row, row_units, &request)) return std::nullopt;
  EXPECT_EQ(request.row, row.row);
  return request.columns;
}

std::vector<Cell> WrittenCells(const RowWork& row, bool row_units, std::optional<int64_t> ttl = std::nullopt) {
  std::vector<store::RowMutation> mutations;
  indexer::AddStateMutation(row, row_units, ttl, &mutations);
  return mutations.empty() ? std::vector<Cell>() : mutations[0].cells;
}

store::Row Answer(const RowWork& row) { return {row.row, WrittenCells(row, kRowUnits)}; }

TEST(StateTable, AUnitsKeyIsItsColumnAndThatOfARowIsEmpty) {
  EXPECT_EQ(indexer::UnitKey("", ""), "");
  EXPECT_EQ(indexer::UnitKey("f", ""), "f:");
  EXPECT_EQ(indexer::UnitKey("f", "a:b"), "f:a:b");
}

TEST(StateTable, OnlyWhatIsNotKnownIsRead) {
  RowWork row{.row = "r"};
  row.FindOrAdd("f", "a");
  row.FindOrAdd("f", "b")->known = true;
  EXPECT_EQ(Missing(row, kColumnUnits), (Columns{{"s", "f:a"}, {"d", {}}, {"m", ""}}));
  row.families_known = true;
  EXPECT_EQ(Missing(row, kColumnUnits), (Columns{{"s", "f:a"}, {"d", {}}}));
  row.FindOrAdd("f", "a")->known = true;
  EXPECT_EQ(Missing(row, kColumnUnits), std::nullopt);
}

TEST(StateTable, AFamilysMarkerNeedsAllColumnUnitsOfTheRow) {
  RowWork row{.row = "r", .all_units = true};
  EXPECT_EQ(Missing(row, kColumnUnits), (Columns{{"s", {}}, {"d", {}}, {"m", {}}}));
}

TEST(StateTable, AnAbsentStateIsKnownAfterTheAnswer) {
  RowWork row{.row = "r"};
  UnitWork* work = row.FindOrAdd("", "");
  ASSERT_TRUE(indexer::TakeState({"r", {}}, kRowUnits, &row).ok());
  EXPECT_TRUE(work->known);
  EXPECT_EQ(work->unit.version, indexer::kNoTime);
}

TEST(StateTable, TheTimestampOfTheCellIsTheVersionOfTheUnit) {
  RowWork written{.row = "r"}, read{.row = "r"};
  written.units[""] = DirtyUnit(41);
  read.FindOrAdd("", "");
  ASSERT_TRUE(indexer::TakeState(Answer(written), kRowUnits, &read).ok());
  EXPECT_EQ(read.units[""].unit.version, 41);
  EXPECT_EQ(read.units[""].unit.columns, written.units[""].unit.columns);
}

TEST(StateTable, AUnitThatWaitsForASecondLookStandsOneBelowItsVersion) {
  RowWork written{.row = "r"}, read{.row = "r"};
  written.units[""] = DirtyUnit(41);
  written.units[""].unit.reserved = true;
  EXPECT_EQ(WrittenCells(written, kRowUnits)[0].timestamp, 40);
  read.FindOrAdd("", "");
  ASSERT_TRUE(indexer::TakeState(Answer(written), kRowUnits, &read).ok());
  EXPECT_EQ(read.units[""].unit.version, 41);
}

TEST(StateTable, WhatIsKnownIsNotReplacedByAnAnswer) {
  RowWork written{.row = "r"}, read{.row = "r"};
  written.units[""] = DirtyUnit(41);
  UnitWork* work = read.FindOrAdd("", "");
  work->known = true;
  work->unit.version = 50;
  ASSERT_TRUE(indexer::TakeState(Answer(written), kRowUnits, &read).ok());
  EXPECT_EQ(work->unit.version, 50);
}

TEST(StateTable, AnIntentAboveTheStateIsDoubtAndOneAtOrBelowItIsSettled) {
  for (const auto& [version, in_doubt] : {std::pair<int64_t, bool>{41, false}, {42, true}}) {
    RowWork written{.row = "r"}, read{.row = "r"};
    written.units[""] = DirtyUnit(41);
    store::Row answer = Answer(written);
    const indexer::Snapshot seen{.cells = {{"f", "k", 7, "v"}}};
    answer.cells.push_back(indexer::IntentCell("12345678", written.units[""].unit, {seen}, version));
    const UnitWork* work = read.FindOrAdd("", "");
    ASSERT_TRUE(indexer::TakeState(answer, kRowUnits, &read).ok());
    EXPECT_EQ(work->unit.doubt.intent, in_doubt);
    EXPECT_EQ(work->unit.version, version);
    EXPECT_EQ(work->intents.size(), 1u) << "it is to be removed either way";
  }
}

TEST(StateTable, AMarkerBringsTheUnitsOfTheRowThatTheBatchDoesNotName) {
  RowWork written{.row = "r"}, read{.row = "r", .all_units = true};
  *written.FindOrAdd("f", "a") = DirtyUnit(41);
  ASSERT_TRUE(indexer::TakeState({"r", WrittenCells(written, kColumnUnits)}, kColumnUnits, &read).ok());
  ASSERT_EQ(read.units.size(), 1u);
  EXPECT_EQ(read.units.begin()->second.unit.qualifier, "a");
}

TEST(StateTable, OnlyWhatIsDirtyIsWrittenAndNothingIsNoMutation) {
  RowWork row{.row = "r"};
  *row.FindOrAdd("f", "a") = DirtyUnit(41);
  row.FindOrAdd("f", "b");
  row.families->version = 7;
  EXPECT_EQ(WrittenCells(row, kColumnUnits).size(), 1u);
  row.families_dirty = true;
  EXPECT_EQ(WrittenCells(row, kColumnUnits).size(), 2u);
  EXPECT_EQ(WrittenCells(row, kColumnUnits)[1].timestamp, 7);
  row.FindOrAdd("f", "a")->dirty = row.families_dirty = false;
  EXPECT_TRUE(WrittenCells(row, kColumnUnits).empty());
}

TEST(StateTable, StatesExpireWithTheirSource) {
  RowWork row{.row = "r"};
  row.units[""] = DirtyUnit(41);
  EXPECT_TRUE(WrittenCells(row, kRowUnits)[0].tags.empty());
  EXPECT_EQ(WrittenCells(row, kRowUnits, 5000)[0].tags, std::vector{MakeTtlTag(5000)});
}

TEST(StateTable, ACellThatCannotBeReadIsDamageOfItsUnit) {
  RowWork row{.row = "r"};
  indexer::UnitWork* work = row.FindOrAdd("", "");
  const Status broken = indexer::TakeState({"r", {{.family = "s", .value = "\xff"}}}, kRowUnits, &row);
  EXPECT_TRUE(broken.ok()) << broken.ToString();
  EXPECT_THAT(work->damage, HasSubstr("the state of row r is damaged: column s:"));
  EXPECT_TRUE(work->unit.doubt.active());
}

TEST(StateTable, ADoubtCellThatNamesNoUnitIsPassedOver) {
  RowWork row{.row = "r"};
  indexer::UnitWork* work = row.FindOrAdd("", "");
  EXPECT_TRUE(indexer::TakeState({"r", {{.family = "d"}}}, kRowUnits, &row).ok());
  EXPECT_EQ(work->damage, "");
}

}  // namespace
}  // namespace fensi::testing
