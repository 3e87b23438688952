// Bounds of the shares of keys, which hold for all keys at once.
#include "mapping/hot_keys.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace fensi::mapping {
namespace {

KeyTally SampleOfEven(int keys, int entries, std::mt19937_64* random) {
  KeyTally tally;
  for (int i = 0; i < entries; ++i) {
    tally.Add("key " + std::to_string((*random)() % static_cast<uint64_t>(keys)), static_cast<size_t>(i));
  }
  return tally;
}

TEST(HotKeys, AtMostOneInAHundredTablesWithEvenKeysHasATooLargeKey) {
  std::mt19937_64 random(1);
  constexpr int kTables = 300;
  for (const int keys : {50, 75, 100, 200, 500, 1000}) {
    for (const int entries : {100, 1000}) {
      int warned = 0;
      for (int table = 0; table < kTables; ++table) {
        warned += SampleOfEven(keys, entries, &random).TooLarge() ? 1 : 0;
      }
      EXPECT_LE(warned, kTables / 100) << keys << " keys, " << entries << " entries";
    }
  }
}

TEST(HotKeys, AKeyWithATenthOfTheEntriesIsTooLarge) {
  std::mt19937_64 random(2);
  int found = 0;
  for (int table = 0; table < 100; ++table) {
    KeyTally tally;
    for (size_t i = 0; i < 200; ++i) tally.Add(random() % 10 == 0 ? "hot" : std::to_string(random() % 1000), i);
    const auto hot = tally.TooLarge();
    found += hot && hot->key == "hot" ? 1 : 0;
  }
  EXPECT_GE(found, 95);
}

TEST(HotKeys, EntriesOfOneSourceRowAreOneDraw) {
  KeyTally wide, narrow;
  for (size_t i = 0; i < 100; ++i) {
    wide.Add("row " + std::to_string(i / 50), i / 50);
    narrow.Add("row " + std::to_string(i / 50), i);
  }
  EXPECT_FALSE(wide.TooLarge());
  EXPECT_GT(wide.Largest(1).front().at_most, 0.9);
  EXPECT_TRUE(narrow.TooLarge());
}

/// The bounds of all keys of a sample hold together in 95 of 100 samples.
TEST(HotKeys, TheBoundsHoldForAllKeysAtOnce) {
  std::mt19937_64 random(3);
  std::vector<double> weights;
  for (int key = 1; key <= 200; ++key) weights.push_back(1.0 / key);
  double sum = 0;
  for (const double weight : weights) sum += weight;
  std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
  int held = 0;
  for (int sample = 0; sample < 300; ++sample) {
    KeyTally tally;
    for (size_t i = 0; i < 200; ++i) tally.Add(std::to_string(draw(random)), i);
    bool holds = true;
    for (const KeyShare& share : tally.Largest(200)) {
      const double truth = weights.at(std::stoul(share.key)) / sum;
      holds = holds && share.at_least <= truth && truth <= share.at_most;
    }
    held += holds ? 1 : 0;
  }
  EXPECT_GE(held, 285);
}

/// A key that is in the sample, and not among the largest, may have more than a key that is not in it.
TEST(HotKeys, TheBoundOfTheOthersHoldsForThoseOfTheSample) {
  std::mt19937_64 random(4);
  int held = 0;
  for (int sample = 0; sample < 100; ++sample) {
    const KeyTally tally = SampleOfEven(20, 1000, &random);
    EXPECT_LT(tally.UnseenAtMost(), 1.0 / 20);
    held += tally.OthersAtMost(10) >= 1.0 / 20 ? 1 : 0;
    EXPECT_EQ(tally.OthersAtMost(20), tally.UnseenAtMost());
  }
  EXPECT_GE(held, 95);
}

TEST(HotKeys, TheLargestOfTheSampleComeFirst) {
  KeyTally tally;
  size_t row = 0;
  for (const char* key : {"b", "a", "c", "b", "a", "b"}) tally.Add(key, row++);
  const auto shares = tally.Largest(2);
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[0].key, "b");
  EXPECT_EQ(shares[0].entries, 3u);
  EXPECT_EQ(shares[1].key, "a");
  EXPECT_LT(shares[0].at_least, 0.5);
  EXPECT_GT(shares[0].at_most, 0.5);
  EXPECT_EQ(tally.keys(), 3u);
  EXPECT_EQ(tally.entries(), 6u);
}

TEST(HotKeys, AnEmptySampleSaysNothing) {
  const KeyTally tally;
  EXPECT_TRUE(tally.Largest(10).empty());
  EXPECT_FALSE(tally.TooLarge());
  EXPECT_EQ(tally.UnseenAtMost(), 1);
  EXPECT_EQ(tally.OthersAtMost(10), 1);
}

}  // namespace
}  // namespace fensi::mapping
