#include "operations/access/row_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/operations/support/store_of_rows.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class RowPages : public ::testing::Test {
 protected:
  std::vector<std::string> Rows(store::ScanRequest request, size_t page_rows, int64_t max_rows = 0) {
    std::vector<std::string> rows;
    request.max_rows = page_rows;
    const auto count =
        ForEachRow(store_.get(), "t", request, max_rows, [&](const store::Row& row) { rows.push_back(row.row); });
    EXPECT_EQ(*count, static_cast<int64_t>(rows.size()));
    return rows;
  }

  const std::unique_ptr<store::Store> store_ = StoreOfRows({"a", "b", "b\xff", "ba", "c"});
};

TEST_F(RowPages, GiveEachRowOnceWhateverThePageSize) {
  for (size_t page : {1, 2, 5, 6}) EXPECT_THAT(Rows(PrefixScan(""), page), ElementsAre("a", "b", "ba", "b\xff", "c"));
}

TEST_F(RowPages, OfAPrefixHoldAllRowsThatBeginSo) {
  EXPECT_THAT(Rows(PrefixScan("b"), 2), ElementsAre("b", "ba", "b\xff"));
}

TEST_F(RowPages, OfARowHoldThatRowOnly) { EXPECT_THAT(Rows(RowScan("b"), 10), ElementsAre("b")); }

TEST_F(RowPages, EndAtTheLimit) { EXPECT_THAT(Rows(PrefixScan(""), 2, 3), ElementsAre("a", "b", "ba")); }

TEST_F(RowPages, OfAMissingTableAreAnError) {
  const auto count = ForEachRow(store_.get(), "nowhere", PrefixScan(""), 0, [](const store::Row&) {});
  EXPECT_EQ(count.status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace fensi::operations
