// A comparison by sums: what comes out even is not looked up, what does not is judged as ever.
#include "sweep/compare/digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "support/sweep_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using store::FaultyStore;

constexpr int kFollowers = 90;

CompareOptions ByDigest() {
  CompareOptions options;
  options.digest = true;
  return options;
}

class DigestTest : public ::testing::Test {
 protected:
  DigestTest() : world_(FollowIndex()) {
    for (int i = 0; i < kFollowers; ++i) {
      world_.PutSource(Row(i), "f1:from", "m");
      world_.Index(Row(i));
    }
    Count();
  }
  static std::string Row(int number) { return "r" + std::to_string(1000 + number); }
  /// Counts scans of each table and gets.
  void Count() {
    world_.faulty()->SetObserver([this](FaultyStore::Call call, const std::string& table) {
      if (call == FaultyStore::Call::kScan) ++(table == "x_table" ? index_scans_ : source_scans_);
      if (call == FaultyStore::Call::kGet) ++gets_;
      if (on_call) on_call(call, table);
      return Status();
    });
  }
  void ExpectCounts(int64_t good, int64_t uneven) {
    const Counts& counts = world_.counts();
    EXPECT_EQ(counts.rows, kFollowers);
    EXPECT_EQ(counts.entries, kFollowers);
    EXPECT_EQ(counts.cells, kFollowers);
    EXPECT_EQ(counts.good, good);
    EXPECT_EQ(counts.uneven, uneven);
  }

  SweepWorld world_;
  int source_scans_ = 0, index_scans_ = 0, gets_ = 0;
  std::function<void(FaultyStore::Call, const std::string&)> on_call;
};

TEST_F(DigestTest, OfTablesThatAgreeNothingIsLookedUp) {
  EXPECT_THAT(world_.Compare(), IsEmpty());
  const int source_pages = source_scans_, index_pages = index_scans_, gets = gets_;
  EXPECT_THAT(world_.Compare(ByDigest()), IsEmpty());
  EXPECT_EQ(gets_, gets);
  EXPECT_EQ(source_scans_, 2 * source_pages) << "read once, as before";
  EXPECT_EQ(index_scans_, 2 * index_pages);
  ExpectCounts(kFollowers, 0);
}

TEST_F(DigestTest, WhatDiffersIsNamedAndAllIsCountedOnce) {
  world_.RemoveCell(Follower("m", Row(3)));
  world_.PutCell(Follower("m", Row(20), "7"));
  world_.PutCell(Follower("o", Row(40)));
  const std::vector<std::string> looked_up = world_.Compare();
  const int64_t good = world_.counts().good;
  EXPECT_EQ(world_.Compare(ByDigest()), looked_up);
  EXPECT_THAT(looked_up, ElementsAre("content_differs r1020 -> x_table m f1:r1020",
                                     "missing r1003 -> x_table m f1:r1003", "orphan r1040 -> x_table o f1:r1040"));
  ExpectCounts(good, 3);
}

TEST_F(DigestTest, OnlyWhatIsInUnevenBucketsIsLookedUp) {
  world_.PutCell(Follower("m", Row(20), "7"));
  int source_gets = 0;
  on_call = [&](FaultyStore::Call call, const std::string& table) {
    source_gets += call == FaultyStore::Call::kGet && table != "x_table" ? 1 : 0;
  };
  EXPECT_THAT(world_.Compare(ByDigest()), ElementsAre("content_differs r1020 -> x_table m f1:r1020"));
  EXPECT_LE(source_gets, 5) << "the cell's row, and both looks of both rounds";
}

TEST_F(DigestTest, WhatMovesBetweenBothReadingsIsLookedUpAndNoDifference) {
  on_call = [&](FaultyStore::Call call, const std::string& table) {
    if (call != FaultyStore::Call::kScan || table != "x_table" || index_scans_ != 1) return;
    world_.PutSource("new", "f1:from", "m");
    world_.Index("new");
    world_.PutSource(Row(7), "f1:from", "n", 2);
    world_.RemoveCell(Follower("m", Row(7)));
    world_.Index(Row(7), 11);
  };
  EXPECT_THAT(world_.Compare(ByDigest()), IsEmpty());
  EXPECT_EQ(world_.counts().uneven, 3);
}

/// What is summed must tell whose value it is.
TEST_F(DigestTest, TwoCellsOfOneBucketThatChangedTheirValuesAreFound) {
  std::map<size_t, std::string> first_of;
  std::string one, two;
  for (int i = 0; two.empty(); ++i) {
    const std::string row = Row(i);
    const size_t bucket = CellHash(Follower("m", row)).low % BucketSums::kBuckets;
    const auto [first, alone] = first_of.emplace(bucket, row);
    if (!alone) one = first->second, two = row;
  }
  world_.PutSource(one, "f1:from", "m", 4);
  world_.PutSource(two, "f1:from", "m", 5);
  world_.PutCell(Follower("m", one, "5"));
  world_.PutCell(Follower("m", two, "4"));
  EXPECT_THAT(world_.Compare(ByDigest()), ElementsAre("content_differs " + one + " -> x_table m f1:" + one,
                                                      "content_differs " + two + " -> x_table m f1:" + two));
  EXPECT_EQ(world_.counts().uneven, 1);
}

TEST_F(DigestTest, WhatIsYoungerIsLeftOutAndCountedAsEver) {
  world_.PutSource(Row(5), "f1:from", "n", 5'000);
  world_.PutCell(Follower("o", Row(6)), 4'000);
  world_.PutCell(Follower("o", Row(7)), 20);
  CompareOptions options;
  options.as_of = 3'000;
  const std::vector<std::string> looked_up = world_.Compare(options);
  options.digest = true;
  EXPECT_EQ(world_.Compare(options), looked_up);
  EXPECT_THAT(looked_up, ElementsAre("orphan r1007 -> x_table o f1:r1007"));
  EXPECT_EQ(world_.counts().rows, kFollowers);
  EXPECT_GT(world_.counts().younger, 0);
}

TEST_F(DigestTest, ARowThatCannotBeMappedIsNamedOnce) {
  SweepWorld world(mapping::LoadIndex({"row: '{f:at | int | to_be 8}'", "columns: { 'f:{row}': '' }"}));
  world.PutSource("good", "f:at", "7");
  world.Index("good");
  world.PutSource("bad", "f:at", "seven");
  EXPECT_THAT(world.Compare(ByDigest()), ElementsAre("unmappable bad"));
  EXPECT_EQ(world.counts().unmappable, 1);
  world.PutCell({"x_table", "nobody", "f", "good", ""});
  EXPECT_THAT(world.Compare(ByDigest()), ::testing::SizeIs(2));
  EXPECT_EQ(world.counts().unmappable, 1) << "it is read twice, and told once";
}

TEST(Digest, OfASharedCellOnlyThePresenceCounts) {
  SweepWorld world(mapping::LoadIndex({"row: '{f:word}'", "columns: { 'f:there': '{row}' }", "shared: true"}));
  world.PutSource("a", "f:word", "hello");
  world.PutCell({"x_table", "hello", "f", "there", "anything"});
  EXPECT_THAT(world.Compare(ByDigest()), IsEmpty());
  EXPECT_EQ(world.counts().uneven, 0);
  world.PutSource("b", "f:word", "hello");
  EXPECT_THAT(world.Compare(ByDigest()), IsEmpty()) << "two rows give it, and it is there once";
  EXPECT_EQ(world.counts().uneven, 1);
}

TEST(Digest, OfAnEmptySourceEverythingIsAnOrphan) {
  SweepWorld world(FollowIndex());
  for (int i = 0; i < 5; ++i) world.PutCell(Follower("m", "f" + std::to_string(i)));
  EXPECT_THAT(world.Compare(ByDigest()), ::testing::SizeIs(5));
  EXPECT_EQ(world.counts().orphan, 5);
}

TEST(Digest, AnEmptyTableAndAnEmptyIndexAgree) {
  SweepWorld world(FollowIndex());
  EXPECT_THAT(world.Compare(ByDigest()), IsEmpty());
  EXPECT_EQ(world.counts().good, 0);
}

}  // namespace
}  // namespace fensi::sweep
