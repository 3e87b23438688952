// What one `fensi verify` proves of an index, and what it does not.
#include "operations/verify/verify_run.h"

#include <gmock/gmock.h>

#include "operations/verify/verification.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::Not;

class VerifyRunTest : public ::testing::Test {
 protected:
  VerifyRunTest() { EXPECT_TRUE(world_.store->CreateTable({"s", {{"f1"}}}, {}).ok()); }

  void PutSourceRow(const char* qualifier) {
    const store::RowMutation row{"r", {{.family = "f1", .qualifier = qualifier, .timestamp = 1, .value = "v"}}};
    ASSERT_TRUE(world_.store->Put("s", std::span(&row, 1)).ok());
  }
  /// Without a daemon, for whose watermark a judge would wait.
  Result<int> Verify(VerifyRunOptions options = {}) {
    options.marks.embedded = true;
    options.compare.judge.recheck = std::chrono::seconds(0);
    return VerifyRun(world_.index.get(), world_.store, std::move(options)).Run();
  }
  std::string NotedResult() const { return (*world_.record("i").Read())->verified; }

  RecordedConsole console_;
  const BegunIndex world_;
};

TEST_F(VerifyRunTest, NotesThatNothingDiffers) {
  EXPECT_EQ(*Verify(), kExitDone);
  EXPECT_THAT(NotedResult(), Not(IsEmpty()));
}

TEST_F(VerifyRunTest, AMissingEntryIsADifference) {
  PutSourceRow("a");
  EXPECT_EQ(*Verify(), kExitDifference);
  EXPECT_THAT(console_.TakeData(), HasSubstr("missing"));
  EXPECT_THAT(NotedResult(), Not(IsEmpty()));
}

TEST_F(VerifyRunTest, RowsThatAreNotThereProveNothing) {
  PutSourceRow("a");
  VerifyRunOptions options;
  options.compare.start_row = "s";
  EXPECT_EQ(*Verify(std::move(options)), kExitNotComparable);
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("nothing lies in the rows that were named"));
}

TEST_F(VerifyRunTest, ASourceWithoutAWatchedCellProvesNothing) {
  PutSourceRow("misspelt");
  EXPECT_EQ(*Verify(), kExitNotComparable);
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("no row of table s has a cell that the index watches"));
  EXPECT_THAT(NotedResult(), IsEmpty());
}

// With this clock the index seems to have followed at once, and what is under way looks missing.
TEST_F(VerifyRunTest, AMarkThatIsAheadOfThisMachinesClockProvesNothing) {
  PutSourceRow("a");
  ASSERT_TRUE(world_.record("i").NoteComplete(world_.incarnation, SystemClock()->WallMillis() + 600'000).ok());
  VerifyRunOptions options;
  options.compare.judge.recheck = std::chrono::seconds(0);
  const Result<int> ended = VerifyRun(world_.index.get(), world_.store, std::move(options)).Run();
  EXPECT_EQ(ended.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(ended.status().message(), HasSubstr("is behind the servers' clocks: the watermark of index i "));
  EXPECT_THAT(NotedResult(), IsEmpty());
}

TEST_F(VerifyRunTest, ASharedComparisonEndsAsOne) {
  PutSourceRow("a");
  VerifyRunOptions options;
  options.distributed = true;
  EXPECT_EQ(*Verify(options), kExitDifference);
  EXPECT_EQ(*Verify(options), kExitDifference);
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("To compare once more, add --restart"));
}

TEST_F(VerifyRunTest, TablesThatCannotBeListedAreNotShared) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml",
        "source: s\nindexes:\n  i: { table: 'i_{f1:a@ts | time %Y%m%d%H}', retention: 3000d, row: '{row}', columns: { "
        "'f1:{row}': '{f1:a}' } }\n"}},
      &diagnostics);
  ASSERT_EQ(mappings.size(), 1u) << diagnostics.Text();
  const mapping::Index& index = *mappings[0].indexes.at(0);
  sweep::CompareOptions options;
  const Status refused = RangesToCompare(index, options, world_.store.get()).status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("index i: fensi cannot list all period tables"));
  EXPECT_THAT(refused.message(), EndsWith("Leave out --distributed, or give --direction=forward"));
  options.backward = false;
  EXPECT_TRUE(RangesToCompare(index, options, world_.store.get()).ok());
}

TEST_F(VerifyRunTest, OnlyARunningComparisonIsSteered) {
  VerifyRunOptions options;
  options.steer = sweep::Wish::kPause;
  const Status refused = Verify(std::move(options)).status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("no comparison of index i is running"));
}

}  // namespace
}  // namespace fensi::operations
