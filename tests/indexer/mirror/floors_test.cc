#include "indexer/mirror/floors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::Floors;
using indexer::FloorTable;

constexpr int64_t kNow = 1'700'000'000'000;

std::vector<std::string> Text(const std::vector<Cell>& cells) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells) {
    texts.push_back(cell.qualifier.substr(0, cell.qualifier.find('/')) + " " + cell.value + "@" +
                    std::to_string(cell.timestamp));
  }
  return texts;
}

TEST(FloorTableTest, RemembersTheHighestOfEachName) {
  FloorTable table(1 << 20);
  EXPECT_EQ(table.Find(7), FloorTable::kNone);
  for (uint64_t name = 0; name < 5000; ++name) table.Raise(name, static_cast<int64_t>(name) + 1);
  table.Raise(7, 3);
  for (uint64_t name = 1; name < 5000; ++name) ASSERT_EQ(table.Find(name), static_cast<int64_t>(name) + 1);
  EXPECT_EQ(table.size(), 4999u);  // 0 and 1 share a place
  EXPECT_EQ(table.Find(5000), FloorTable::kNone);
}

TEST(FloorTableTest, WhatIsEvictedCountsForAll) {
  FloorTable table(1);
  table.Raise(1, 11);
  table.Evict();
  table.Raise(2, 12);
  table.Evict();
  EXPECT_EQ(table.Find(3), 11);
  table.Raise(3, 5);
  EXPECT_EQ(table.Find(2), 12);
  table.Evict();
  EXPECT_EQ(table.Find(4), 12);
  EXPECT_LE(table.size(), 2u);
}

TEST(FloorsTest, ChangesAreTakenOnceAndAreTheHighest) {
  Floors floors(1 << 20);
  floors.set_now(kNow);
  floors.Raise(1, 11);
  floors.Raise(2, 9);
  floors.Tell(5, 100);
  floors.Tell(5, 99);
  EXPECT_THAT(Text(floors.TakeChanges()), ElementsAre("floor 11@11", "told 100@100"));
  EXPECT_THAT(floors.TakeChanges(), IsEmpty());
  floors.Raise(2, 10);
  EXPECT_THAT(floors.TakeChanges(), IsEmpty());
}

TEST(FloorsTest, AFarFloorIsOneCellsAlone) {
  Floors floors(1 << 20);
  floors.set_now(kNow);
  floors.Raise(1, kNow + Floors::kFarMillis + 1);
  floors.Raise(2, kNow);
  EXPECT_EQ(floors.Of(1), kNow + Floors::kFarMillis + 1);
  EXPECT_THAT(Text(floors.TakeChanges()),
              ElementsAre("floor 1700000000000@1700000000000", "far 1700003600001@1700003600001"));
}

TEST(FloorsTest, ATimeIsAboveAllFloorsOrIsNot) {
  Floors floors(1 << 20);
  floors.set_now(kNow);
  EXPECT_TRUE(floors.AllBelow(0));
  floors.Raise(1, 10);
  floors.Raise(2, 12);
  EXPECT_TRUE(floors.AllBelow(13));
  EXPECT_FALSE(floors.AllBelow(12));
}

TEST(FloorsTest, WhatWasEvictedCountsWhereATimeIsAboveAll) {
  Floors floors(1);
  floors.Raise(1, 20);
  for (uint64_t cell = 2; cell < 6; ++cell) {
    floors.Evict();
    floors.Raise(cell, 10);
    EXPECT_FALSE(floors.AllBelow(20)) << cell;
  }
  EXPECT_TRUE(floors.AllBelow(21));
}

TEST(FloorsTest, AFarFloorIsAboveWhateverIsNearer) {
  Floors floors(1 << 20);
  floors.set_now(kNow);
  floors.Raise(1, kNow + Floors::kFarMillis + 10);
  EXPECT_FALSE(floors.AllBelow(kNow + Floors::kFarMillis + 9));
}

TEST(FloorsTest, ADeleteBehindWhatItsRegionToldIsOutOfOrder) {
  Floors floors(1 << 20);
  EXPECT_TRUE(floors.InOrder(5, 1));
  floors.Tell(5, 100);
  EXPECT_FALSE(floors.InOrder(5, 100));
  EXPECT_TRUE(floors.InOrder(5, 101));
  EXPECT_TRUE(floors.InOrder(6, 1));
  EXPECT_TRUE(floors.InOrder(5, 0));  // it has none
}

TEST(FloorsTest, NamesOfCellsAreTheSameForEver) {
  EXPECT_EQ(Floors::NameOf("row", "f", "q"), 15213483323969806808u);
  EXPECT_EQ(Floors::NameOf("region"), 2740768521267464717u);
  EXPECT_NE(Floors::NameOf("ab", "f", "q"), Floors::NameOf("a", "bf", "q"));
}

class KeptFloorsTest : public ::testing::Test {
 protected:
  explicit KeptFloorsTest() { world_.clock()->Set(kNow); }
  indexer::FloorStore Kept(const consumer::Assignment& assignment) {
    return {&world_.index(), world_.store(), world_.clock(), assignment};
  }
  Floors Loaded(const consumer::Assignment& assignment) {
    Floors floors(1 << 20);
    floors.set_now(world_.clock()->WallMillis());
    Must(Kept(assignment).Load(&floors));
    return floors;
  }

  World world_{MirrorValueRule(), true};
  const FakeAssignment first_{"t", 0, 2}, second_{"t", 1, 2}, other_{"u", 0, 1};
};

TEST_F(KeptFloorsTest, ReachTheNextOwnerOfThePartitionAndOfAnotherTopic) {
  Floors floors = Loaded(first_);
  floors.Raise(1, 11);
  floors.Tell(5, 100);
  Must(Kept(first_).Save(&floors));
  const Floors next = Loaded(first_);
  EXPECT_EQ(next.Of(2), 11);
  EXPECT_FALSE(next.InOrder(5, 100));
  EXPECT_EQ(Loaded(second_).Of(2), FloorTable::kNone);
  EXPECT_EQ(Loaded(other_).Of(2), 11);
}

// A client that stamps microseconds makes every floor a far one.
TEST_F(KeptFloorsTest, FarOnesReachAnotherTopicAndSoDoesWhatARegionTold) {
  const int64_t far = kNow + 2 * Floors::kFarMillis;
  Floors floors = Loaded(first_), of_other = Loaded(other_);
  floors.Raise(1, far);
  floors.Tell(5, 100);
  Must(Kept(first_).Save(&floors));
  of_other.Raise(1, far - 1);
  Must(Kept(other_).Save(&of_other));
  EXPECT_EQ(Loaded(other_).Of(1), far);
  EXPECT_EQ(Loaded(other_).Of(2), FloorTable::kNone);
  EXPECT_FALSE(Loaded(other_).InOrder(5, 100));
  EXPECT_EQ(Loaded(second_).Of(1), far - 1) << "of its own topic's other partitions it learns nothing";
  world_.clock()->Set(far);
  EXPECT_EQ(Loaded(other_).Of(2), far);
}

TEST_F(KeptFloorsTest, ALateOwnerLowersNothing) {
  Floors late = Loaded(first_), floors = Loaded(first_);
  late.Raise(1, 11);
  late.Tell(5, 90);
  floors.Raise(1, 20);
  floors.Tell(5, 100);
  Must(Kept(first_).Save(&floors));
  Must(Kept(first_).Save(&late));
  EXPECT_EQ(Loaded(first_).Of(1), 20);
  EXPECT_FALSE(Loaded(first_).InOrder(5, 100));
}

TEST_F(KeptFloorsTest, AFarFloorIsOneOfAllWhenItsTimeHasCome) {
  Floors floors = Loaded(first_);
  const int64_t far = kNow + 2 * Floors::kFarMillis;
  floors.Raise(1, far);
  Must(Kept(first_).Save(&floors));
  EXPECT_EQ(Loaded(first_).Of(1), far);
  EXPECT_EQ(Loaded(first_).Of(2), FloorTable::kNone);
  world_.clock()->Set(far);
  Floors next = Loaded(first_);
  EXPECT_EQ(next.Of(2), far);
  Must(Kept(first_).Save(&next));
  world_.clock()->Set(kNow);  // it is not read any more
  EXPECT_EQ(Loaded(first_).Of(2), far);
  EXPECT_THAT(Loaded(first_).TakePassed(), IsEmpty());
}

}  // namespace
}  // namespace fensi::testing
