// What a person types to look an index up, and what of it is refused.
#include <gmock/gmock.h>

#include "operations/lookup/index_reader.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/period_world.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

TEST(LookupPlan, AnEmptyPartIsRefusedWithThePartsOfTheIndex) {
  const BegunIndex world;
  const Status refused = PlanTypedLookup(*world.index, {{""}, "", ""}).status();
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(refused.message(), "part 1 is empty; index i is read by <f1:a>");
}

TEST(LookupPlan, BytesAreWrittenAsEscapes) {
  const BegunIndex world;
  const Result<IndexReader> reader = PlanTypedLookup(*world.index, {{"\\x62"}, "", ""});
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  EXPECT_THAT(reader->ShellCommands(), HasSubstr("\"b\""));
  EXPECT_FALSE(PlanTypedLookup(*world.index, {{"\\x6"}, "", ""}).ok());
}

TEST(LookupPlan, TablesOfPeriodsAreChosenByBounds) {
  const PeriodWorld world;
  EXPECT_THAT(PlanTypedLookup(*world.index, {{"u"}, "", ""}).status().message(),
              HasSubstr("--from or --to is missing"));
}

TEST(LookupPlan, WarnsOfTheFileOfAnotherDefinition) {
  RecordedConsole console;
  const BegunIndex world;
  WarnOfOtherDefinition(*world.index, world.store.get());
  EXPECT_EQ(console.TakeMessages(), "");
  mapping::Diagnostics diagnostics;
  const auto others = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:b}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  WarnOfOtherDefinition(*others.at(0).indexes.at(0), world.store.get());
  EXPECT_THAT(console.TakeMessages(), HasSubstr("was built by another definition"));
}

TEST(LookupPlan, ABoundThatLooksLikeADayIsExplained) {
  RecordedConsole console;
  TellOfDays({{}, "20161219", ""});
  EXPECT_EQ(console.TakeMessages(),
            "no rows: --from 20161219 was read as a number, not as a day. Write --from 2016-12-19\n");
}

}  // namespace
}  // namespace fensi::operations
