#include <gtest/gtest.h>

#include "store/hbase/calls/row_getter.h"

namespace fensi::store {
namespace {

struct Searched {
  size_t asked = 0;  // in the end; 0: the column is larger than an answer
  int calls = 0;
};

/// Asks until an answer holds more than the column, where `fit` cells fit into one.
Searched Search(size_t begin, size_t column, size_t fit) {
  CellSearch search;
  Searched outcome{begin, 0};
  while (++outcome.calls < 1000) {
    if (outcome.asked > fit) {
      const std::optional<size_t> fewer = search.Fewer(outcome.asked);
      if (!fewer) return {0, outcome.calls};
      outcome.asked = *fewer;
    } else if (outcome.asked <= column) {
      outcome.asked = search.More(outcome.asked);
    } else {
      return outcome;
    }
  }
  return outcome;
}

TEST(CellSearch, FindsEverySizeThatThereIs) {
  for (size_t column = 1; column <= 300; ++column) {
    for (size_t fit = 1; fit <= 320; ++fit) {
      const Searched outcome = Search(256, column, fit);
      EXPECT_EQ(outcome.asked > 0, fit > column) << column << " cells, " << fit << " fit";
      EXPECT_LE(outcome.calls, 15) << column << " cells, " << fit << " fit";
    }
  }
}

TEST(CellSearch, TakesFewCallsWhereAColumnIsLargeAndLeavesLittleRoom) {
  EXPECT_LE(Search(200'000, 150'000, 150'001).calls, 40);
  EXPECT_LE(Search(200'000, 150'000, 150'000).calls, 40);
  EXPECT_EQ(Search(200'000, 150'000, 150'001).asked, 150'001U);
  EXPECT_EQ(Search(200'000, 150'000, 150'000).asked, 0U);
}

TEST(CellSearch, BeginsAnewWithTheNextColumn) {
  CellSearch search;
  EXPECT_EQ(search.Fewer(1000), 125U);
  EXPECT_EQ(search.More(125), 562U);
  search.Found();
  EXPECT_EQ(search.More(562), 1124U);
  search.Found();
  EXPECT_EQ(search.Fewer(1124), 140U);
}

}  // namespace
}  // namespace fensi::store
