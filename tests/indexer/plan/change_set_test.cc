// What a batch writes: one put and one removal per index cell at most (M5, M6).
#include "indexer/plan/change_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/indexer/plan/planned.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::ChangeSet;

const mapping::EntryList kNone;

TEST(ChangeSet, PutsWhatIsNewAndRemovesWhatIsGoneAtTheVersionsOfTheStep) {
  ChangeSet changes;
  changes.Step(EntriesIn({EntryOf("a", "x")}), EntriesIn({EntryOf("b", "y")}), 4, 7, 0);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/b f:q=y@7", "remove t/a f:q@4"));
}

TEST(ChangeSet, LeavesAloneWhatStaysAsItIs) {
  ChangeSet changes;
  changes.Step(EntriesIn({EntryOf("a", "x")}), EntriesIn({EntryOf("a", "x")}), 4, 7, 0);
  EXPECT_TRUE(changes.empty());
}

TEST(ChangeSet, AnotherValueInTheCellIsAPutAboveTheOldOne) {
  ChangeSet changes;
  changes.Step(EntriesIn({EntryOf("a", "x")}), EntriesIn({EntryOf("a", "y")}), 4, 7, 0);
  indexer::Changes puts, removals;
  changes.Take(&puts, &removals);
  EXPECT_TRUE(removals.empty());
  EXPECT_EQ(puts["t"].rows[0].cells[0].value, "y");
  EXPECT_EQ(puts["t"].origins[0].replaces, 4) << "it must go if the store refuses the put";
}

TEST(ChangeSet, AnEntryThatComesAndGoesInOneBatchIsRemovedThough) {
  ChangeSet changes;
  changes.Step(kNone, EntriesIn({EntryOf("a")}), 4, 7, 0);
  changes.Step(EntriesIn({EntryOf("a")}), kNone, 7, 8, 1);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("remove t/a f:q@7")) << "an attempt that died may have put it";
}

TEST(ChangeSet, AnEntryThatGoesAndComesBackIsPutAboveItsRemoval) {
  ChangeSet changes;
  changes.Step(EntriesIn({EntryOf("a")}), kNone, 4, 7, 0);
  changes.Step(kNone, EntriesIn({EntryOf("a")}), 7, 8, 1);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=@8"));
}

TEST(ChangeSet, AUniqueKeyStaysWithTheRowThatHasItNowThoughTheOldRowIsToldLater) {
  ChangeSet changes;
  changes.Step(kNone, EntriesIn({EntryOf("a", "new row")}), -1, 9, 0);
  changes.Step(kNone, EntriesIn({EntryOf("a", "old row")}), 3, 6, 1);
  changes.Step(EntriesIn({EntryOf("a", "old row")}), kNone, 6, 7, 2);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=new row@9"));
}

TEST(ChangeSet, WhatWasToBeRemovedUnderAPutGoesIfTheStoreRefusesThePut) {
  ChangeSet changes;
  changes.Remove(EntryOf("a"), 4, 0);
  changes.Put(EntryOf("a"), 8, 1);
  indexer::Changes puts, removals;
  changes.Take(&puts, &removals);
  EXPECT_TRUE(removals.empty());
  EXPECT_EQ(puts["t"].origins[0].replaces, 4);
}

TEST(ChangeSet, ARemovalStaysUnderAPutThatExpires) {
  ChangeSet changes;
  changes.Step(EntriesIn({EntryOf("a")}), kNone, 4, 7, 0);
  changes.Step(kNone, EntriesIn({EntryOf("a", "", 99)}), 7, 8, 1);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=@8", "remove t/a f:q@4"));
}

TEST(ChangeSet, WhatOutlivesThePutOverItIsRemoved) {
  ChangeSet changes;
  changes.Step(EntriesIn({EntryOf("a", "x")}), EntriesIn({EntryOf("a", "y", 99)}), 4, 7, 0);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=y@7", "remove t/a f:q@4"));
}

TEST(ChangeSet, PutInsteadForgetsThePlannedRemoval) {
  ChangeSet changes;
  changes.Remove(EntryOf("a"), 7, 0);
  changes.PutInstead(EntryOf("a", "x"), 8, 0);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=x@8"));
}

TEST(ChangeSet, ARemovalTakesPutsAtItsVersionAlongAndNoneAboveIt) {
  ChangeSet changes;
  changes.Put(EntryOf("a"), 7, 0);
  changes.Put(EntryOf("b"), 9, 0);
  changes.Remove(EntryOf("a"), 7, 0);
  changes.Remove(EntryOf("b"), 7, 0);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/b f:q=@9", "remove t/a f:q@7"));
}

TEST(ChangeSet, InASharedIndexEachVersionIsPutAndRemovedByItself) {
  ChangeSet changes;
  changes.SharedStep(kNone, EntriesIn({EntryOf("a", "x")}), -1, 4, 0);
  changes.SharedStep(kNone, EntriesIn({EntryOf("a", "y")}), -1, 5, 1);
  changes.SharedStep(EntriesIn({EntryOf("a", "x")}), EntriesIn({EntryOf("a", "z")}), 4, 7, 2);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=y@5", "put t/a f:q=z@7", "remove t/a f:q =4"));
}

TEST(ChangeSet, ListsOfManyEntriesAreComparedAsShortOnes) {
  std::vector<std::string> rows;
  for (int i = 0; i < 40; ++i) rows.push_back("r" + std::to_string(100 + i));
  std::vector<mapping::Entry> before, after;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i != 7) before.push_back(EntryOf(rows[i], "v"));
    if (i != 31) after.push_back(EntryOf(rows[i], i == 12 ? "w" : "v"));
  }
  ChangeSet changes;
  changes.Step(EntriesIn(before), EntriesIn(after), 4, 7, 0);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/r107 f:q=v@7", "put t/r112 f:q=w@7", "remove t/r131 f:q@4"));
}

TEST(ChangeSet, CellsOfARowThatExpireAlikeAreTogetherAndOriginsFollowThem) {
  ChangeSet changes;
  mapping::Entry other = EntryOf("a", "", 99);
  other.qualifier = "p";
  changes.Put(EntryOf("b"), 7, 1);
  changes.Put(EntryOf("a"), 7, 2);
  changes.Put(other, 7, 3);
  indexer::Changes puts, removals;
  changes.Take(&puts, &removals);
  const indexer::TableChanges& table = puts["t"];
  ASSERT_EQ(table.rows.size(), 3u) << "one put of a row has one time to live";
  EXPECT_EQ(table.rows[0].cells[0].tags, std::vector{MakeTtlTag(92)}) << "from its version on";
  EXPECT_TRUE(table.rows[1].cells[0].tags.empty());
  EXPECT_EQ(table.rows[2].row, "b");
  ASSERT_EQ(table.origins.size(), 3u);
  EXPECT_EQ(table.origins[0].record, 3u);
  EXPECT_EQ(table.origins[1].record, 2u);
  EXPECT_EQ(table.origins[2].record, 1u);
}

TEST(ChangeSet, KnowsWhatItTakesAndIsEmptyAfterwards) {
  ChangeSet changes;
  EXPECT_EQ(changes.bytes(), 0u);
  changes.Put(EntryOf("a", std::string(1000, 'x')), 7, 0);
  EXPECT_GT(changes.bytes(), 1000u);
  const size_t large = changes.bytes();
  changes.Put(EntryOf("a", "x"), 8, 0);
  EXPECT_EQ(changes.bytes(), large) << "the room stays the value's";
  changes.Put(EntryOf("a", std::string(1001, 'x')), 9, 0);
  EXPECT_EQ(changes.bytes(), large + 1001);
  changes.Put(EntryOf("b"), 9, 0);
  EXPECT_GT(changes.bytes(), large + 1001);
  TakeTexts(&changes);
  EXPECT_TRUE(changes.empty());
  EXPECT_EQ(changes.bytes(), 0u);
  EXPECT_THAT(TakeTexts(&changes), IsEmpty());
}

TEST(ChangeSet, APutThatIsLookedUpLeavesARemovalAboveItAlone) {
  ChangeSet changes;
  changes.Remove(EntryOf("a"), 9, 0);
  changes.PutInstead(EntryOf("a", "x"), 7, 1);
  changes.Remove(EntryOf("b"), 7, 0);
  changes.PutInstead(EntryOf("b", "y"), 7, 1);
  EXPECT_THAT(TakeTexts(&changes), ElementsAre("put t/a f:q=x@7", "put t/b f:q=y@7", "remove t/a f:q@9"));
}

TEST(ChangeSet, ATableTellsTheNewestTimeOfItsEntries) {
  const auto at = [](std::string_view row, int64_t period) {
    mapping::Entry entry = EntryOf(row, "x");
    entry.period = period;
    return entry;
  };
  ChangeSet changes;
  changes.Put(at("a", 10), 1, 0);
  changes.Put(at("a", 30), 2, 0);
  changes.Put(at("b", 20), 1, 0);
  changes.Remove(at("c", 20), 1, 0);
  changes.Remove(at("d", 40), 1, 0);
  changes.Remove(at("e", 20), 1, 0);
  indexer::Changes puts, removals;
  changes.Take(&puts, &removals);
  EXPECT_EQ(puts["t"].newest_period, 30);
  EXPECT_EQ(removals["t"].newest_period, 40);
}

}  // namespace
}  // namespace fensi::testing
