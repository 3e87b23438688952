// CompareAndPut.
#include <atomic>
#include <thread>

#include "base/bytes.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using enum CellType;

class CompareAndPut : public StoreContract {
 protected:
  /// If f:note of the row is as expected it becomes `value` at the timestamp: "done", "not as expected" or the fault.
  std::string Change(const std::string& row, const std::string& expected, int64_t timestamp, const std::string& value) {
    return Say(store().CompareAndPut(table_, Note(row, expected, {PutCell("f:note", timestamp, value)})));
  }
  static ConditionalPut Note(const std::string& row, const std::string& expected, std::vector<Cell> cells) {
    return {{row, std::move(cells)}, "f", "note", expected};
  }
  static std::string Say(const Result<bool>& done) {
    if (!done.ok()) return done.status().ToString();
    return *done ? "done" : "not as expected";
  }

  const std::string table_ = NewTable();
};

TEST_F(CompareAndPut, TakesAnAbsentCellForAnEmptyValue) {
  EXPECT_EQ(Change("r", "", 1, "first"), "done");
  EXPECT_EQ(Change("r", "", 2, "second"), "not as expected");
  EXPECT_EQ(Visible(table_, "r"), "f:note@1=first");
  EXPECT_EQ(Change("r", "first", 2, ""), "done");
  EXPECT_EQ(Change("r", "", 3, "third"), "done");
  EXPECT_EQ(Visible(table_, "r"), "f:note@3=third");
}

TEST_F(CompareAndPut, WritesNothingWhereTheValueIsAnother) {
  EXPECT_EQ(Change("r", "something", 1, "v"), "not as expected");
  Put(table_, "r", {PutCell("f:note", 5, "a")});
  for (const char* other : {"", "A", "a ", "aa", "b"}) EXPECT_EQ(Change("r", other, 9, "v"), "not as expected");
  EXPECT_EQ(Raw(table_, "r"), "f:note@5=a");
}

TEST_F(CompareAndPut, ComparesTheNewestVisibleCell) {
  Put(table_, "r", {PutCell("g:note", 1, "old"), PutCell("g:note", 2, "new")});
  ConditionalPut change{{"r", {PutCell("g:note", 3, "v")}}, "g", "note", "old"};
  EXPECT_EQ(Say(store().CompareAndPut(table_, change)), "not as expected");
  Delete(table_, "r", {Marker(kDelete, "g:note", 2)});
  EXPECT_EQ(Say(store().CompareAndPut(table_, change)), "done");
  Delete(table_, "r", {Marker(kDeleteFamily, "g", 9)});
  EXPECT_EQ(Say(store().CompareAndPut(table_, change)), "not as expected");
  change = {{"r", {PutCell("g:note", 10, "again")}}, "g", "note", ""};
  EXPECT_EQ(Say(store().CompareAndPut(table_, change)), "done");
  EXPECT_EQ(Visible(table_, "r"), "g:note@10=again");
}

TEST_F(CompareAndPut, DoesNotSeeItsOwnPutBelowANewerOne) {
  EXPECT_EQ(Change("r", "", 5, "a"), "done");
  EXPECT_EQ(Change("r", "a", 4, "late"), "done");
  EXPECT_EQ(Change("r", "late", 6, "b"), "not as expected");
  EXPECT_EQ(Change("r", "a", 6, "b"), "done");
}

TEST_F(CompareAndPut, WritesAllCellsOfTheRowOrNone) {
  const std::vector<Cell> cells = {PutCell("f:note", 7, "n"), PutCell("f:other", 7, "o"), PutCell("g:", 8, "g")};
  EXPECT_EQ(Say(store().CompareAndPut(table_, Note("r", "never", cells))), "not as expected");
  EXPECT_EQ(Raw(table_, "r"), "");
  EXPECT_EQ(Say(store().CompareAndPut(table_, Note("r", "", cells))), "done");
  EXPECT_EQ(Visible(table_, "r"), "f:note@7=n, f:other@7=o, g:@8=g");
}

TEST_F(CompareAndPut, TakesAnyByteInRowQualifierAndValue) {
  const std::string odd("\x00\xff\x00\x01\\' \xe7\xb2\x89", 10);
  ConditionalPut change{{odd, {PutCell("f:" + odd, 1, odd)}}, "f", odd, ""};
  EXPECT_EQ(Say(store().CompareAndPut(table_, change)), "done");
  change.expected = odd;
  change.put.cells = {PutCell("f:" + odd, 2, "v")};
  EXPECT_EQ(Say(store().CompareAndPut(table_, change)), "done");
  EXPECT_EQ(Visible(table_, odd), "f:" + Escape(odd) + "@2=v");
}

TEST_F(CompareAndPut, TakesTheLongestRow) {
  EXPECT_EQ(Change(std::string(kMaxRowBytes, 'r'), "", 1, "v"), "done");
  EXPECT_EQ(Change(std::string(kMaxRowBytes, 'r'), "", 2, "v"), "not as expected");
}

TEST_F(CompareAndPut, OfAnImpossiblePutIsRejected) {
  for (const RowMutation& put : std::vector<RowMutation>{{"", {PutCell("f:note", 1, "v")}},
                                                         {std::string(kMaxRowBytes + 1, 'r'), {PutCell("f:q", 1, "v")}},
                                                         {"r", {}},
                                                         {"r", {PutCell("f:note", -1, "v")}},
                                                         {"r", {Marker(kDeleteColumn, "f:note", 1)}}}) {
    const Result<bool> done = store().CompareAndPut(table_, {put, "f", "note", ""});
    EXPECT_EQ(done.status().code(), StatusCode::kRejected) << done.status().ToString();
  }
}

TEST_F(CompareAndPut, OfAFamilyOrTableThatIsNotThereNeedsAPerson) {
  const RowMutation put{"r", {PutCell("f:note", 1, "v")}};
  EXPECT_EQ(store().CompareAndPut(table_, {put, "nofamily", "note", ""}).status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(store().CompareAndPut(table_, {put, "", "note", ""}).status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(store().CompareAndPut(table_, {{"r", {PutCell("nofamily:note", 1, "v")}}, "f", "note", ""}).status().code(),
            StatusCode::kConfiguration);
  EXPECT_EQ(store().CompareAndPut("no_such_table", {put, "f", "note", ""}).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Raw(table_, "r"), "");
}

/// Every thread counts the same cell upward, as often as the cell lets it; another one puts beside it all the while.
TEST_F(CompareAndPut, LetsOneOfManyThreadsChangeACellAtATime) {
  constexpr int kThreads = 4, kSteps = 100;
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int step = 0; step < kSteps; ++step) {
        const std::string expected = step == 0 ? "" : std::to_string(step - 1);
        const Result<bool> changed =
            store().CompareAndPut(table_, Note("r", expected, {PutCell("f:note", 1 + step, std::to_string(step))}));
        ASSERT_TRUE(changed.ok()) << changed.status().ToString();
        done += *changed ? 1 : 0;
        Put(table_, "r", {PutCell("g:beside", 1, "v")});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(done, kSteps) << "a step was made twice";
  EXPECT_EQ(Get(table_, {.row = "r", .columns = {{"f", "note"}}}),
            "f:note@" + std::to_string(done) + "=" + std::to_string(done - 1));
}

}  // namespace
}  // namespace fensi::store
