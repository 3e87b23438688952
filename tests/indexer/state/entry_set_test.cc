// Index cells, each once.
#include <gtest/gtest.h>

#include "indexer/state/row_work.h"
#include "tests/indexer/plan/planned.h"

namespace fensi::testing {
namespace {

TEST(EntrySet, HoldsEachCellOnceWhateverStandsInIt) {
  indexer::EntrySet set;
  EXPECT_GT(set.Add(EntryOf("a", "x")), 0u);
  EXPECT_EQ(set.Add(EntryOf("a", "y", 99)), 0u);
  EXPECT_GT(set.Add(EntryOf("b")), 0u);
  ASSERT_EQ(set.size(), 2u);
  EXPECT_EQ(set[0].row, "a");
  EXPECT_EQ(set[0].value, "") << "a removal names no value";
  EXPECT_EQ(set[1].row, "b");
}

TEST(EntrySet, TellsCellsApartByEveryCoordinate) {
  indexer::EntrySet set;
  mapping::Entry entry = EntryOf("a");
  set.Add(entry);
  for (std::string_view mapping::Entry::*part :
       {&mapping::Entry::table, &mapping::Entry::row, &mapping::Entry::family, &mapping::Entry::qualifier}) {
    mapping::Entry other = entry;
    other.*part = "other";
    EXPECT_GT(set.Add(other), 0u);
  }
  EXPECT_EQ(set.size(), 5u);
}

TEST(EntrySet, KnowsWhatItTakes) {
  indexer::EntrySet set;
  size_t sum = 0;
  for (int i = 0; i < 100; ++i) sum += set.Add(EntryOf("r" + std::to_string(i % 50)));
  EXPECT_EQ(set.bytes(), sum);
  EXPECT_EQ(set.size(), 50u);
}

TEST(EntrySet, KnowsTheNewestVersionOfEachCell) {
  indexer::EntrySet set;
  set.Add(EntryOf("a"), 5);
  set.Add(EntryOf("b"), 7);
  set.Add(EntryOf("a"), 9);
  set.Add(EntryOf("b"), 3);
  EXPECT_EQ(set.up_to(0), 9);
  EXPECT_EQ(set.up_to(1), 7);
}

}  // namespace
}  // namespace fensi::testing
