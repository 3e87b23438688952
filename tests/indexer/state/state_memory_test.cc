// The memory of states: what it may cost, and what it remembers.
#include "indexer/state/state_memory.h"

#include <gtest/gtest.h>

#include "tests/indexer/state/made_put.h"
#include "tests/support/peak_memory.h"

namespace fensi::testing {
namespace {

using indexer::FamilyStates;
using indexer::SeenFilter;
using indexer::SeenHash;
using indexer::ShareOf;
using indexer::StateCache;
using indexer::StateMemoryShare;
using indexer::Unit;

Unit UnitWith(const std::string& value) {
  Unit unit{.row = "r", .family = "f", .qualifier = "k"};
  unit.FindOrAdd("f", "k")->Put(PutAt(11, 0, value), false);
  return unit;
}

TEST(StateMemory, PartitionsShareOneBudgetForCachesAndFilters) {
  for (const size_t total : {size_t{1} << 20, size_t{64} << 20, size_t{1} << 30}) {
    for (const size_t partitions : {1, 4, 100, 5000}) {
      const StateMemoryShare fresh = ShareOf(total, partitions, true), known = ShareOf(total, partitions, false);
      EXPECT_LE((fresh.cache_bytes + fresh.filter_bytes) * partitions, total);
      EXPECT_LE(known.cache_bytes * partitions, total);
      EXPECT_EQ(known.filter_bytes, 0u);
      EXPECT_GT(fresh.filter_bytes, 0u);
    }
  }
}

TEST(StateCache, GivesBackWhatWasPutOnceAndKeepsTheNamesOfTheAsker) {
  StateCache cache(1 << 20);
  cache.PutUnit("r", "f:k", UnitWith("v"));
  Unit unit{.row = "r", .family = "f", .qualifier = "k"};
  const std::shared_ptr<FamilyStates> shared = unit.families;
  ASSERT_TRUE(cache.TakeUnit("r", "f:k", &unit));
  EXPECT_EQ(unit.columns, UnitWith("v").columns);
  EXPECT_EQ(unit.row, "r");
  EXPECT_EQ(unit.qualifier, "k");
  EXPECT_EQ(unit.families, shared) << "the markers of the row are one set";
  EXPECT_FALSE(cache.TakeUnit("r", "f:k", &unit)) << "it was taken out";
}

TEST(StateCache, TellsRowsUnitsAndFamiliesApart) {
  StateCache cache(1 << 20);
  cache.PutUnit("ab", "c", UnitWith("v"));
  Unit unit;
  FamilyStates families;
  EXPECT_FALSE(cache.TakeUnit("a", "bc", &unit));
  EXPECT_FALSE(cache.TakeFamilies("ab", &families));
  FamilyStates markers{.version = 7};
  markers.FindOrAdd("f")->DeleteFamily(6, 0);
  cache.PutFamilies("ab", markers);
  ASSERT_TRUE(cache.TakeFamilies("ab", &families));
  EXPECT_EQ(families.version, 7);
  EXPECT_EQ(families.families, markers.families);
  EXPECT_FALSE(cache.TakeFamilies("ab", &families));
  EXPECT_TRUE(cache.TakeUnit("ab", "c", &unit));
}

TEST(StateCache, KeepsTheMarkersOfARowUnitWithIt) {
  StateCache cache(1 << 20);
  Unit unit = UnitWith("v"), read;
  unit.families->FindOrAdd("f")->DeleteFamily(9, 0);
  cache.PutUnit("r", "", unit);
  ASSERT_TRUE(cache.TakeUnit("r", "", &read));
  EXPECT_EQ(read.families->Newest(), 9);
}

TEST(StateCache, GivesBackAllThatTheStateTableWouldAlsoOfARowInDoubt) {
  StateCache cache(1 << 20);
  Unit unit = UnitWith("v"), read{.row = "r", .family = "f", .qualifier = "k"};
  unit.version = 17;
  unit.doubted = unit.reserved = true;
  unit.forgotten = 3;
  unit.doubt = {.intent = false, .snapshots = {{.cells = {{"f", "k", 11, "seen"}}}}};
  FamilyStates markers;
  markers.FindOrAdd("f")->DeleteFamily(9, 0);
  KeepFamilies(markers, &unit);
  cache.PutUnit("r", "f:k", unit);
  ASSERT_TRUE(cache.TakeUnit("r", "f:k", &read));
  EXPECT_EQ(std::tie(read.version, read.doubted, read.reserved, read.forgotten, read.doubt, read.columns),
            std::tie(unit.version, unit.doubted, unit.reserved, unit.forgotten, unit.doubt, unit.columns));
  EXPECT_TRUE(read.own_families);
  EXPECT_EQ(read.families->families, markers.families);
}

TEST(StateCache, LeavesAColumnThatWasInDoubtBeforeItHadMarkersOfItsOwnToTheStateTable) {
  StateCache cache(1 << 20);
  Unit unit = UnitWith("v"), read;
  unit.doubted = true;
  cache.PutUnit("r", "f:k", unit);
  EXPECT_FALSE(cache.TakeUnit("r", "f:k", &read)) << "its bytes would say that it has some";
  cache.PutUnit("r", "", unit);
  EXPECT_TRUE(cache.TakeUnit("r", "", &read));
}

TEST(StateCache, DoesNotFallBackOnWhatItHeldBeforeAUnitChanged) {
  StateCache cache(1000);
  Unit unit = UnitWith("v"), read;
  for (int i = 0; i < 100; ++i) {
    unit.version = i;
    cache.PutUnit("r", "f:k", unit);
    cache.PutUnit("filler", "f:k", UnitWith(std::string(static_cast<size_t>(i) * 7, 'v')));
    if (i % 3 != 0) continue;
    if (cache.TakeUnit("r", "f:k", &read)) {
      EXPECT_EQ(read.version, i);
    }
    EXPECT_FALSE(cache.TakeUnit("r", "f:k", &read));
  }
}

TEST(StateCache, HoldsNoMoreThanItsBoundAndTheLastOnesLongest) {
  constexpr size_t kBound = 1 << 20;
  StateCache cache(kBound);
  for (int i = 0; i < 1000; ++i) cache.PutUnit(std::to_string(i), "f:k", UnitWith(std::string(10'000, 'v')));
  Unit unit;
  EXPECT_TRUE(cache.TakeUnit("999", "f:k", &unit));
  EXPECT_FALSE(cache.TakeUnit("0", "f:k", &unit));
  size_t held = 1;
  for (int i = 0; i < 999; ++i) held += cache.TakeUnit(std::to_string(i), "f:k", &unit) ? 1 : 0;
  EXPECT_LE(held * 10'000, kBound);
  EXPECT_GE(held * 10'000, kBound / 3) << "a bound that is not used is none";
}

TEST(StateCache, AUnitThatIsPutAgainCountsOnce) {
  StateCache cache(1 << 20);
  cache.PutUnit("first", "f:k", UnitWith("v"));
  for (int i = 0; i < 1000; ++i) cache.PutUnit("again", "f:k", UnitWith(std::string(10'000, 'v')));
  Unit unit;
  EXPECT_TRUE(cache.TakeUnit("first", "f:k", &unit));
}

TEST(SeenFilter, NeverDeniesWhatItHasSeen) {
  SeenFilter filter(64);
  for (int i = 0; i < 10'000; ++i) {
    filter.Add(SeenHash(std::to_string(i)));
    EXPECT_TRUE(filter.MayContain(SeenHash(std::to_string(i))));
  }
}

TEST(SeenFilter, IsWrongOnceInAHundredAtMostWhereItPromisesThat) {
  constexpr size_t kPart = 128;  // of the default, and of six million keys
  SeenFilter filter(SeenFilter::kDefaultBytes / kPart);
  const int keys = 6'000'000 / kPart;
  for (int i = 0; i < keys; ++i) filter.Add(SeenHash("row" + std::to_string(i)));
  int wrong = 0;
  for (int i = 0; i < keys; ++i) wrong += filter.MayContain(SeenHash("other" + std::to_string(i))) ? 1 : 0;
  EXPECT_LT(wrong, keys / 100);
}

TEST(SeenFilter, NeedsNoMemoryBeforeKeysCome) {
  const MemoryGrowth growth;
  SeenFilter filter(64 * SeenFilter::kDefaultBytes);
  EXPECT_FALSE(filter.MayContain(SeenHash("row")));
  EXPECT_LT(growth.Kilobytes(), 8'192);
}

TEST(SeenHash, OfAUnitIsAnotherThanOfItsRow) {
  EXPECT_NE(SeenHash("r"), SeenHash(SeenHash("r"), ""));
  EXPECT_NE(SeenHash(SeenHash("r"), "f:a"), SeenHash(SeenHash("r"), "f:b"));
  EXPECT_NE(SeenHash(SeenHash("r"), "f:a"), SeenHash(SeenHash("q"), "f:a"));
}

}  // namespace
}  // namespace fensi::testing
