// What goes first when the state of a unit is more than a cell may hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/state/unit.h"
#include "tests/indexer/state/made_put.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

constexpr size_t kQuarter = indexer::kMaxUnitBytes / 4;

TEST(Fit, LeavesAUnitThatFitsAsItIs) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "a")->DeleteColumn(11, 0);
  EXPECT_THAT(Fit(&unit), IsEmpty());
  EXPECT_EQ(unit.columns.size(), 1u);
}

TEST(Fit, ForgetsDeletedColumnsFirstAndRemembersTheNewestRegisterOfThem) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "live")->Put(PutAt(9, 0, std::string(kQuarter, 'x')), false);
  for (int64_t i = 0; i < 4; ++i)
    unit.FindOrAdd("f", std::string(kQuarter, static_cast<char>('a' + i)))->DeleteColumn(i, 0);
  EXPECT_THAT(Fit(&unit), IsEmpty()) << "nobody loses anything";
  EXPECT_NE(unit.Find("f", "live"), nullptr);
  EXPECT_LE(StateBytes(unit), indexer::kMaxUnitBytes);
  EXPECT_EQ(unit.forgotten, 2) << "the longest deleted go, no more of them than must";
}

TEST(Fit, ForgetsOlderVersionsBeforeAnyValueThatShows) {
  indexer::Unit unit;
  for (int64_t i = 0; i < 10; ++i) {
    indexer::ColumnState* column = unit.FindOrAdd("f", std::string(1, static_cast<char>('a' + i)));
    column->Put(PutAt(1, 0, std::string(indexer::kMaxKeptValueBytes / 8, 'x')), true);
    column->Put(PutAt(2, 0, "new"), true);
  }
  EXPECT_THAT(Fit(&unit), IsEmpty());
  EXPECT_LE(StateBytes(unit), indexer::kMaxUnitBytes);
  for (const indexer::ColumnState& column : unit.columns) {
    EXPECT_EQ(column.newest.value, "new");
    EXPECT_EQ(column.forgotten == 1, column.kept.empty());
  }
}

TEST(Fit, DropsTheLargestValuesAndTellsEachOfThem) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "large")->Put(PutAt(1, 0, std::string(3 * kQuarter, 'x')), false);
  unit.FindOrAdd("f", "small")->Put(PutAt(2, 0, std::string(2 * kQuarter, 'x')), false);
  EXPECT_THAT(Fit(&unit), ElementsAre(HasSubstr("column f:large: the value has ")));
  EXPECT_TRUE(unit.Find("f", "large")->newest.dropped);
  EXPECT_FALSE(unit.Find("f", "small")->newest.dropped);
}

TEST(Fit, LeavesOutWholeColumnsLastAndTellsEachOfThem) {
  indexer::Unit unit;
  for (int64_t i = 0; i < 5; ++i) {
    unit.FindOrAdd("f", std::string(kQuarter, static_cast<char>('a' + i)))->Put(PutAt(10 - i), false);
  }
  const size_t before = unit.columns.size();
  const std::vector<std::string> lost = Fit(&unit);
  EXPECT_EQ(lost.size(), before - unit.columns.size());
  EXPECT_THAT(lost.front(), HasSubstr("This column is left out of the index"));
  EXPECT_EQ(unit.columns.front().newest.timestamp, 10) << "the oldest go first";
  EXPECT_LE(StateBytes(unit), indexer::kMaxUnitBytes);
}

TEST(Prune, ForgetsWhatAFamilysMarkerHidesAnyway) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "hidden")->Put(PutAt(11), false);
  unit.FindOrAdd("f", "younger")->Put(PutAt(13), false);
  unit.FindOrAdd("g", "other")->Put(PutAt(11), false);
  unit.families->FindOrAdd("f")->DeleteFamily(12, 0);
  Prune(*unit.families, &unit);
  EXPECT_EQ(unit.Find("f", "hidden"), nullptr);
  EXPECT_EQ(unit.columns.size(), 2u);
}

TEST(Prune, KeepsTheEndsOfTtls) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "a")->Put({.timestamp = 11, .sequence_id = 0, .expires_at = 20, .value = "x"}, false);
  unit.FindOrAdd("f", "b")->Put({.timestamp = 10, .sequence_id = 0, .expires_at = 20, .value = "x"}, false);
  unit.FindOrAdd("f", "b")->Put(PutAt(11), false);
  unit.families->FindOrAdd("f")->DeleteFamily(12, 0);
  Prune(*unit.families, &unit);
  EXPECT_EQ(unit.columns.size(), 2u);
}

}  // namespace
}  // namespace fensi::testing
