#include "cli/reading/answer_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "operations/access/row_pages.h"
#include "tests/operations/support/store_of_rows.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

class Watched : public ::testing::Test {
 protected:
  /// Reads pages of one row, each of which gives a line of so many bytes.
  Result<int64_t> Read(AnswerWatch* watch, size_t bytes_of_row) {
    read_ = 0;
    const auto wanted = watch->WhileWanted(store_.get());
    store::ScanRequest request;
    request.max_rows = 1;
    return operations::ForEachRow(wanted.get(), "t", request, 0, [&](const store::Row& row) {
      ++read_;
      watch->Add(row.row + std::string(bytes_of_row, 'x'));
    });
  }

  const std::unique_ptr<store::Store> store_ = operations::StoreOfRows({"a", "b", "c", "d", "e", "f"});
  int64_t read_ = 0;
};

TEST_F(Watched, AnAnswerIsReadNoFurtherThanItMayBeHeld) {
  AnswerWatch watch(false);
  const Result<int64_t> rows = Read(&watch, size_t{30} << 20);
  EXPECT_EQ(rows.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(rows.status().message(), HasSubstr("more than 100,000 cells or 64 MiB: too much for --watch"));
  EXPECT_EQ(read_, 3) << "the third row passed the limit";
}

TEST_F(Watched, AnAnswerThatFitsIsReadToItsEnd) {
  AnswerWatch watch(false);
  EXPECT_TRUE(Read(&watch, size_t{10} << 20).ok());
  EXPECT_EQ(read_, 6);
  EXPECT_TRUE(watch.Fits().ok());
}

TEST_F(Watched, AnAnswerMayHaveAHundredThousandLines) {
  AnswerWatch watch(false);
  for (int i = 0; i < 100'000; ++i) watch.Add(std::to_string(i));
  EXPECT_TRUE(watch.Fits().ok());
  watch.Add("one more");
  EXPECT_FALSE(watch.Fits().ok());
  EXPECT_EQ(watch.Show().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fensi::cli
