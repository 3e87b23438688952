// A comparison as of a moment: what is younger, in the source or in the index, is left out and counted, whatever it
// looks like, and what is older is judged as ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sweep_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using mapping::LoadIndex;

constexpr int64_t kAsOf = 50;

CompareOptions AsOf(int64_t time) {
  CompareOptions options;
  options.as_of = time;
  return options;
}

class AsOfTest : public ::testing::Test {
 protected:
  AsOfTest() : world_(FollowIndex()) {}
  SweepWorld world_;
};

TEST_F(AsOfTest, WhatIsAsOldAsItIsComparedAndWhatIsYoungerIsNot) {
  world_.PutSource("at", "f1:from", "m", kAsOf);
  world_.PutSource("after", "f1:from", "m", kAsOf + 1);
  world_.PutCell(Follower("m", "at orphan"), kAsOf);
  world_.PutCell(Follower("m", "later orphan"), kAsOf + 1);
  EXPECT_THAT(world_.Compare(AsOf(kAsOf)),
              ElementsAre("missing at -> x_table m f1:at", "orphan at orphan -> x_table m f1:at orphan"));
  EXPECT_EQ(world_.counts().younger, 2);
  EXPECT_EQ(world_.counts().entries, 1);
  EXPECT_EQ(world_.counts().cells, 1);
  EXPECT_EQ(world_.Compare().size(), size_t{4});
}

TEST_F(AsOfTest, AnotherValueThatIsYoungerIsLeftOut) {
  for (const char* row : {"a", "b"}) {
    world_.PutSource(row, "f1:from", "m", 1);
    world_.PutCell(Follower("m", row, "wrong"), std::string(row) == "a" ? kAsOf : kAsOf + 1);
  }
  EXPECT_THAT(world_.Compare(AsOf(kAsOf)), ElementsAre("content_differs a -> x_table m f1:a"));
  EXPECT_EQ(world_.counts().younger, 2);  // once from the source, once from the index
}

TEST_F(AsOfTest, AnOldCellOfARowThatIsYoungerIsLeftOut) {
  world_.PutSource("a", "f1:from", "now", kAsOf + 1);
  world_.PutCell(Follower("before", "a"), 10);
  world_.clock()->on_sleep = [] { ADD_FAILURE() << "nothing is to be judged"; };
  EXPECT_THAT(world_.Compare(AsOf(kAsOf)), IsEmpty());
  EXPECT_EQ(world_.counts().younger, 2);
}

TEST_F(AsOfTest, ARowThatNeverStandsStillIsYoungerAndNotUndecided) {
  world_.PutSource("a", "f1:from", "b", 1);
  int64_t time = kAsOf;
  world_.clock()->on_sleep = [&] { world_.PutSource("a", "f1:from", "b", ++time); };
  EXPECT_THAT(world_.Compare(AsOf(kAsOf)), IsEmpty());
  EXPECT_EQ(world_.counts().younger, 1);
  EXPECT_EQ(world_.counts().undecided, 0);
  EXPECT_EQ(world_.counts().open, 0);
}

TEST_F(AsOfTest, AnOldRowIsGoodHoweverYoungItsEntriesAre) {
  world_.PutSource("a", "f1:from", "b", 1);
  world_.Index("a", kAsOf + 100);  // a repair raised it
  EXPECT_THAT(world_.Compare(AsOf(kAsOf)), IsEmpty());
  EXPECT_EQ(world_.counts().good, 1);
}

/// Of cells that do not tell their source row sums are compared, in which younger ones must not be missing.
TEST(AsOf, OfCellsOfUnknownRowsTheYoungerOnesAreLeftOut) {
  SweepWorld world(LoadIndex({"row: '{f:phone}'", "columns: { 'f:': '' }", "unique: true"}));
  const auto plant = [&](std::string_view phone, int64_t version) {
    world.PutCell({"x_table", phone, "f", "", ""}, version);
  };
  for (int i = 0; i < 50; ++i) {
    world.PutSource("r" + std::to_string(i), "f:phone", std::to_string(1000 + i), i < 25 ? 1 : kAsOf + 1);
    world.Index("r" + std::to_string(i), i < 25 ? 10 : kAsOf + 1);
  }
  EXPECT_THAT(world.Compare(AsOf(kAsOf)), IsEmpty());
  int scans = 0;
  const auto count = [&](store::FaultyStore::Call call, const std::string& table) {
    if (call == store::FaultyStore::Call::kScan && table == "x_table") ++scans;
    return Status();
  };
  world.faulty()->SetObserver(count);
  EXPECT_THAT(world.Compare(AsOf(kAsOf)), IsEmpty());
  EXPECT_EQ(scans, 1);  // the sums are even: no second look
  plant("2001", kAsOf);
  plant("2002", kAsOf + 1);
  CompareOptions reverse = AsOf(kAsOf);
  reverse.forward = false;
  for (const CompareOptions& options : {AsOf(kAsOf), reverse}) {
    EXPECT_THAT(world.Compare(options), IsEmpty());
    EXPECT_EQ(world.counts().unattributed, 1);  // one of the younger rows may have given it then
  }
  for (int i = 25; i < 50; ++i) {
    world.DeleteSource("r" + std::to_string(i), "f:phone", kAsOf + 1);
    world.RemoveCell({"x_table", std::to_string(1000 + i), "f", "", ""}, kAsOf + 2);
  }
  for (const CompareOptions& options : {AsOf(kAsOf), reverse}) {
    EXPECT_THAT(world.Compare(options), ElementsAre("orphan -> x_table 2001 f:"));
  }
}

}  // namespace
}  // namespace fensi::sweep
