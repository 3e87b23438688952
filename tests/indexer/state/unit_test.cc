// A unit of state: its columns, what it shows, and doubts about it.
#include "indexer/state/unit.h"

#include <gtest/gtest.h>

#include "tests/indexer/state/made_put.h"

namespace fensi::testing {
namespace {

std::vector<std::string> Shown(const indexer::Visible& visible) {
  std::vector<std::string> shown;
  for (const mapping::VisibleCell& cell : visible.cells) {
    shown.push_back(std::string(cell.family) + ":" + std::string(cell.qualifier) + "=" + std::string(cell.value) + "@" +
                    std::to_string(cell.timestamp));
  }
  return shown;
}

std::vector<std::string> ShownByRegisters(const indexer::Unit& unit) {
  indexer::Visible visible;
  visible.dropped = true;  // of the row before
  visible.cells.resize(3);
  VisibleByRegisters(unit, *unit.families, &visible);
  EXPECT_FALSE(visible.dropped);
  return Shown(visible);
}

TEST(Unit, ItsColumnsAreSortedAndEachIsThereOnce) {
  indexer::Unit unit;
  for (const char* qualifier : {"b", "a", "c", "a"}) unit.FindOrAdd("f", qualifier);
  unit.FindOrAdd("e", "z");
  ASSERT_EQ(unit.columns.size(), 4u);
  EXPECT_EQ(unit.columns[0].family, "e");
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(unit.columns[i].qualifier, std::string(1, "abc"[i - 1]));
  EXPECT_EQ(unit.Find("f", "a"), &unit.columns[1]);
  EXPECT_EQ(unit.Find("f", "z"), nullptr);
}

TEST(Unit, AColumnThatComesBackIsUnsureUpToWhatTheUnitForgot) {
  indexer::Unit unit;
  unit.forgotten = 11;
  const indexer::ColumnState* column = unit.FindOrAdd("f", "k");
  EXPECT_TRUE(column->Unsure(PutAt(11), nullptr));
  EXPECT_FALSE(column->Unsure(PutAt(12), nullptr));
}

TEST(Unit, ShowsTheVisiblePutOfEachColumn) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "a")->Put(PutAt(11, 0, "1"), false);
  unit.FindOrAdd("f", "b")->Put(PutAt(12, 0, "2"), false);
  unit.FindOrAdd("f", "b")->DeleteColumn(12, 0);
  unit.FindOrAdd("g", "a")->Put(PutAt(13, 0, "3"), false);
  EXPECT_EQ(ShownByRegisters(unit), (std::vector<std::string>{"f:a=1@11", "g:a=3@13"}));
  unit.families->FindOrAdd("g")->DeleteFamily(13, 0);
  EXPECT_EQ(ShownByRegisters(unit), std::vector<std::string>{"f:a=1@11"});
}

TEST(Unit, SaysWhenAVisibleValueWasTooLarge) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "a")->newest = {.timestamp = 11, .dropped = true};
  indexer::Visible visible;
  VisibleByRegisters(unit, *unit.families, &visible);
  EXPECT_TRUE(visible.dropped);
}

TEST(Snapshot, ShowsWhatWasReadWithTheEndsThatTheRegistersKnow) {
  indexer::Unit unit;
  unit.FindOrAdd("f", "a")->Put(PutAt(11, 0, "1", 99), false);
  const indexer::Snapshot snapshot{
      .cells = {{"f", "a", 11, "1"}, {"f", "b", 12, "2"}}};  // what is shown points into it
  indexer::Visible visible;
  VisibleOf(snapshot, unit, &visible);
  EXPECT_EQ(Shown(visible), (std::vector<std::string>{"f:a=1@11", "f:b=2@12"}));
  EXPECT_EQ(visible.cells[0].expires_at, 99);
  EXPECT_EQ(visible.cells[1].expires_at, INT64_MAX);
}

TEST(Snapshot, IsTheSameWhateverTheOrderOfTheCells) {
  indexer::Visible one, other;
  one.cells = {{"f", "a", 1, "x"}, {"f", "b", 2, "y"}};
  other.cells = {one.cells[1], one.cells[0]};
  EXPECT_EQ(MakeSnapshot(one), MakeSnapshot(other));
}

TEST(Doubt, KeepsEachSnapshotOnceAndIsActiveWithAny) {
  indexer::Doubt doubt;
  EXPECT_FALSE(doubt.active());
  doubt.Add({});
  doubt.Add({.dropped = true});
  doubt.Add({});
  EXPECT_TRUE(doubt.active());
  EXPECT_EQ(doubt.snapshots.size(), 2u);
}

}  // namespace
}  // namespace fensi::testing
