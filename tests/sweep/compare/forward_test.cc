// From the source to the index, kind by kind; what every kind has in common stands in damage_property_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/hbase_limits.h"
#include "support/sweep_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using mapping::LoadIndex;

constexpr int64_t kDay = 86'400'000;

std::shared_ptr<const mapping::Index> DailyIndex() {
  return LoadFile(
      "source: t\nindexes:\n  x:\n    table: 'x_{f:a@ts | time %Y%m%d}'\n    retention: 30d\n"
      "    row: '{row}'\n    columns: { 'f:': '{f:a}' }\n");
}

CompareOptions OneWay() {
  CompareOptions options;
  options.backward = false;
  return options;
}

TEST(Forward, OfATableThatIsAbsentAllEntriesWithinKeepAreMissing) {
  SweepWorld world(DailyIndex());
  const int64_t now = 17'000 * kDay;
  world.clock()->set_wall(now);
  world.PutSource("in", "f:a", "1", now - 10 * kDay);
  world.PutSource("out", "f:a", "1", now - 40 * kDay);
  world.PutSource("ahead", "f:a", "1", now + 3 * kDay);
  EXPECT_THAT(world.Compare(), ElementsAre("missing in -> x_20160708 in f:"));
  EXPECT_EQ(world.counts().outside, 2);
}

TEST(Forward, AnEntryThatIsAboutToExpireIsInFlight) {
  SweepWorld world(LoadIndex(
      {"row: '{row}'", "columns: { 'f:': '{f:a}' }", "expire: exact", "create: { families: { f: { ttl: 1d } } }"}));
  const int64_t now = 17'000 * kDay;
  world.clock()->set_wall(now);
  world.PutSource("gone", "f:a", "1", now - kDay - 1000);
  world.PutSource("going", "f:a", "1", now - kDay + 1500);
  world.PutSource("there", "f:a", "1", now - kDay + 60'000);
  EXPECT_THAT(world.Compare(OneWay()), ElementsAre("missing there -> x_table there f:"));
  EXPECT_EQ(world.counts().in_flight, 2);
}

TEST(Forward, APutAboveAllThatAnIndexTakesIsUnmappableAndItsColumnIsEmpty) {
  for (const auto& index : {LoadIndex({"row: '{f:a}'", "columns: { 'f:{row}': '' }"}),
                            LoadIndex({"each: 'f:*'", "row: '{value}'", "columns: { 'f:{row}': '' }"})}) {
    SweepWorld world(index);
    world.PutSource("r", "f:a", "old", 5);
    world.PutSource("s", "f:a", "last", kMaxSourceTime);
    world.Index("r");
    world.Index("s", kMaxSourceTime);
    EXPECT_THAT(world.Compare(OneWay()), IsEmpty());
    world.PutSource("r", "f:a", "new", kMaxSourceTime + 1);
    const std::vector<std::string> found = world.Compare();
    EXPECT_THAT(found, ::testing::Contains(HasSubstr("unmappable r")));
    EXPECT_THAT(found, ::testing::Contains(HasSubstr("orphan")));
    EXPECT_EQ(world.counts().missing, 0);
    EXPECT_EQ(world.counts().good, 1) << "s stays";
  }
}

/// MIN_VERSIONS, or another TTL than the mapping says.
TEST(Forward, AnEntryWhoseCellTheSourceShowsLongAfterItsTtlIsMissing) {
  SweepWorld world(LoadIndex(
      {"row: '{row}'", "columns: { 'f:': '{f:a}' }", "expire: exact", "create: { families: { f: { ttl: 1d } } }"}));
  const int64_t now = 17'000 * kDay;
  world.clock()->set_wall(now);
  world.PutSource("kept", "f:a", "1", now - kDay - 60'000);
  EXPECT_THAT(world.Compare(OneWay()), ElementsAre("missing kept -> x_table kept f:"));
  EXPECT_THAT(world.found().findings[0].reason, HasSubstr("MIN_VERSIONS"));
  EXPECT_EQ(world.counts().in_flight, 0);
}

TEST(Forward, OfSharedCellsOnlyThePresenceCounts) {
  SweepWorld world(LoadIndex({"row: '{f:a}'", "columns: { 'f:': '{row}' }", "shared: true"}));
  world.PutSource("r1", "f:a", "k");
  world.PutSource("r2", "f:a", "k");
  world.Index("r2");
  EXPECT_THAT(world.Compare(), IsEmpty());
  EXPECT_EQ(world.counts().good, 2);
}

TEST(Forward, ARowThatCannotBeMappedIsNamedAndIsNoDifference) {
  SweepWorld world(LoadIndex({"row: '{f:a | int | to_be 8}{row}'", "columns: { 'f:': '' }"}));
  world.PutSource("r", "f:a", "no number");
  EXPECT_THAT(world.Compare(), ElementsAre("unmappable r"));
  EXPECT_THAT(world.found().findings[0].reason, HasSubstr("no number"));
  EXPECT_EQ(world.counts().differences(), 0);
}

TEST(Forward, ARowThatIsTooLargeForAStateIsNotCompared) {
  SweepWorld world(LoadIndex({"row: '{row}'", "columns: { 'f:': '{f:b}' }"}));
  world.PutSource("large", "f:b", std::string(kMostUnitBytes, 'x'));
  EXPECT_THAT(world.Compare(), ElementsAre("undecided large"));
  EXPECT_EQ(world.counts().undecided, 1);
}

/// A row whose columns take several pages, whether its unit is the row or a column.
TEST(Forward, ARowOfManyPagesIsComparedLikeAnyOther) {
  constexpr int kColumns = 25'000;
  for (const char* exists : {"requires: f:c0", "ignore_warnings: []"}) {
    SweepWorld world(LoadIndex({"each: 'f:*'", "row: '{qualifier}'", "columns: { 'f:{row}': '{value}' }", exists}));
    const bool by_row = world.index().state_scope() == mapping::StateScope::kRow;
    EXPECT_EQ(by_row, std::string(exists).starts_with("requires"));
    for (int i = 0; i < kColumns; ++i) world.PutSource("wide", "f:c" + std::to_string(i), "v");
    world.PutSource("z", "f:c0", "v");
    for (const char* row : {"wide", "z"}) world.Index(row);
    world.RemoveCell({"x_table", "c24999", "f", "wide", ""});
    world.PutCell({"x_table", "nothing", "f", "wide", ""});
    EXPECT_THAT(world.Compare(),
                ElementsAre("missing wide -> x_table c24999 f:wide", "orphan wide -> x_table nothing f:wide"));
    EXPECT_EQ(world.counts().rows, 2);
    EXPECT_EQ(world.counts().good, kColumns);
  }
}

TEST(Forward, OnlyRowsOfTheRangeAreCompared) {
  SweepWorld world(FollowIndex());
  for (const char* row : {"a", "b", "c"}) world.PutSource(row, "f1:from", "m");
  CompareOptions options;
  options.start_row = "b";
  options.stop_row = "c";
  EXPECT_THAT(world.Compare(options), ElementsAre("missing b -> x_table m f1:b"));
  EXPECT_EQ(world.counts().rows, 1);
}

TEST(Forward, ASampleReadsSomeRangesAndFindsWhatIsInThem) {
  SweepWorld world(FollowIndex());
  for (int i = 0; i < 50; ++i) world.PutSource("\x80" + std::to_string(i), "f1:from", "m");
  CompareOptions options = OneWay();
  options.walk.sample = 1;
  EXPECT_THAT(world.Compare(options), Not(IsEmpty()));
  EXPECT_GE(world.counts().rows, 1);
}

TEST(Forward, ASampleReachesRowsWhoseKeysBeginAlikeAndReadsNoneTwice) {
  SweepWorld world(FollowIndex());
  const auto name = [](int i) { return "user" + std::string(i < 10'000 ? 1 : 0, '0') + std::to_string(i); };
  for (int i = 1'000; i < 21'000; ++i) world.PutSource(name(i), "f1:from", "m");
  CompareOptions options = OneWay();
  options.judge.max_suspects = 100'000;
  options.walk.sample = 200;
  const std::vector<std::string> found = world.Compare(options);
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()).size(), static_cast<size_t>(world.counts().rows));
  EXPECT_GT(world.counts().rows, 15'000);
  EXPECT_LE(world.counts().rows, 20'000);
  options.walk.sample = 5;
  (void)world.Compare(options);
  EXPECT_GT(world.counts().rows, 0);
  EXPECT_LE(world.counts().rows, 5'000);
}

TEST(Forward, ThePaceIsKept) {
  SweepWorld world(FollowIndex());
  for (int i = 0; i < 5000; ++i) world.PutSource("r" + std::to_string(i), "f1:other", "m");
  for (int i = 0; i < 5000; ++i) world.PutSource("r" + std::to_string(i), "f1:from", "m");
  for (int i = 0; i < 5000; ++i) world.Index("r" + std::to_string(i));
  const auto begin = world.clock()->MonotonicNow();
  CompareOptions options = OneWay();
  options.walk.rows_per_second = 100;
  EXPECT_THAT(world.Compare(options), IsEmpty());
  const auto took = world.clock()->MonotonicNow() - begin;
  EXPECT_GE(took, std::chrono::seconds(38));  // the last page is not waited for
  EXPECT_LE(took, std::chrono::seconds(51));
}

TEST(Forward, AnIndexTableThatIsGoneEndsIt) {
  SweepWorld world(FollowIndex());
  world.PutSource("a", "f1:from", "b");
  ASSERT_TRUE(world.store()->DropTable("x_table").ok());
  EXPECT_THAT(world.Compare(), ElementsAre(HasSubstr("! there is no table x_table")));
}

}  // namespace
}  // namespace fensi::sweep
