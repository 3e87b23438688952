// From the index to the source: cells that tell their source row, and cells that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meta/versioned_meta_row.h"
#include "support/sweep_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using mapping::LoadIndex;
using store::FaultyStore;

/// A phone number leads to a row, which no cell's name tells.
std::shared_ptr<const mapping::Index> PhoneIndex(const std::string& value) {
  return LoadIndex({"row: '{f:phone}'", "columns: { 'f:': '" + value + "' }", "unique: true"});
}

mapping::Entry Phone(std::string_view phone, std::string_view value = "") { return {"x_table", phone, "f", "", value}; }

/// Looked up, or by a digest first.
class UnknownRows : public ::testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  UnknownRows() : world_(PhoneIndex(std::get<std::string>(GetParam()))) {
    for (int i = 0; i < 300; ++i) {
      world_.PutSource("r" + std::to_string(i), "f:phone", std::to_string(1000 + i));
      world_.Index("r" + std::to_string(i));
    }
  }
  std::vector<std::string> Compare(CompareOptions options = {}) {
    options.digest = std::get<bool>(GetParam());
    return world_.Compare(options);
  }
  SweepWorld world_;
};

INSTANTIATE_TEST_SUITE_P(Values, UnknownRows,
                         ::testing::Combine(::testing::Values("", "{row}", "{row | md5 | hex}"), ::testing::Bool()),
                         [](const auto& value) { return std::to_string(value.index); });

TEST_P(UnknownRows, NothingIsFoundWhereNothingIsWrong) {
  EXPECT_THAT(Compare(), IsEmpty());
  EXPECT_EQ(world_.counts().cells, 300);
}

TEST_P(UnknownRows, OrphansAreFound) {
  world_.PutCell(Phone("555", "r7"));
  world_.PutCell(Phone("556", "nobody"));
  EXPECT_THAT(Compare(), ElementsAre("orphan -> x_table 555 f:", "orphan -> x_table 556 f:"));
}

TEST_P(UnknownRows, OrphansAreFoundInReverseAlone) {
  world_.PutCell(Phone("555", "r7"));
  CompareOptions options;
  options.forward = false;
  EXPECT_THAT(world_.Compare(options), ElementsAre("orphan -> x_table 555 f:"));
}

TEST_P(UnknownRows, AnotherValueIsNoOrphan) {
  world_.PutCell(Phone("1007", "nobody"));
  EXPECT_THAT(Compare(), ElementsAre("content_differs r7 -> x_table 1007 f:"));
}

TEST_P(UnknownRows, WhatComesWhileTheIndexIsReadIsNoOrphan) {
  // A new row between the forward pass and the backward one, and one that goes while its proof is made.
  int scans = std::get<bool>(GetParam()) ? -1 : 0;  // behind the sums nothing is read where they are even
  world_.PutCell(Phone("555", "nobody"), 20);
  world_.faulty()->SetObserver([&](FaultyStore::Call call, const std::string& table) {
    if (call != FaultyStore::Call::kScan || table != "x_table" || ++scans != 1) return Status();
    world_.PutSource("new", "f:phone", "777");
    world_.Index("new");
    world_.PutCell(Phone("778", "short"), 20);
    return Status();
  });
  world_.clock()->on_sleep = [&] { world_.RemoveCell(Phone("778"), 21); };
  EXPECT_THAT(Compare(), ElementsAre("orphan -> x_table 555 f:"));
}

TEST_P(UnknownRows, WhatTheIndexHasNotFollowedYetIsNoOrphan) {
  world_.PutSource("r7", "f:phone", "2007", 2);
  bool has = false;
  world_.clock()->on_sleep = [&] {
    if (has || world_.clock()->MonotonicNow() < std::chrono::seconds(60)) return;
    world_.RemoveCell(Phone("1007"), 11);
    world_.Index("r7", 12);
    has = true;
  };
  CompareOptions options;
  options.judge.followed = [&](int64_t) { return has; };
  EXPECT_THAT(Compare(options), IsEmpty());
  EXPECT_TRUE(world_.counts().awaited_mark);
}

TEST_P(UnknownRows, WhatAYoungerRowMayHaveGivenThenIsNoOrphan) {
  world_.PutSource("r7", "f:phone", "2007", 50);
  CompareOptions options;
  options.as_of = 30;
  EXPECT_THAT(Compare(options), IsEmpty());
  const bool by_value = std::get<std::string>(GetParam()) == "{row}";  // the entry tells the row, which is younger
  EXPECT_EQ(world_.counts().unattributed, by_value ? 0 : 1);
}

TEST_P(UnknownRows, ACellThatWasWrittenAgainIsNoOrphanOfTheVersionThatWasSeen) {
  world_.PutCell(Phone("555", "nobody"), 20);
  world_.clock()->on_sleep = [&] { world_.PutCell(Phone("555", "nobody"), 30); };
  EXPECT_THAT(Compare(), IsEmpty());
  EXPECT_EQ(world_.counts().in_flight, 1);
}

TEST_P(UnknownRows, OfAPartOfTheSourceTheyCannotBeJudged) {
  world_.PutCell(Phone("555"));
  CompareOptions options;
  options.start_row = "r1";
  EXPECT_THAT(world_.Compare(options), IsEmpty());
  EXPECT_GT(world_.counts().unattributed, 0);
}

TEST_P(UnknownRows, TooManyEndItAndAreNotCalledEqual) {
  for (int i = 0; i < 20; ++i) world_.PutCell(Phone("o" + std::to_string(i), "nobody"));
  CompareOptions options;
  options.max_unknown = 19;
  EXPECT_THAT(Compare(options), ElementsAre(HasSubstr("too many for one comparison")));
  EXPECT_TRUE(world_.comparison().too_many());
  options.max_unknown = 20;
  EXPECT_THAT(Compare(options), SizeIs(20));
}

TEST(Backward, OfAnEmptySourceEverythingIsAnOrphan) {
  SweepWorld world(FollowIndex());
  for (int i = 0; i < 5; ++i) world.PutCell(Follower("m", "f" + std::to_string(i)));
  EXPECT_THAT(world.Compare(), SizeIs(5));
  EXPECT_EQ(world.counts().orphan, 5);
}

TEST(Backward, ACellOfAFamilyThatTheSourceDoesNotHaveIsAnOrphan) {
  SweepWorld world(
      LoadIndex({"each: ['f:*', 'g:*']", "row: '{family | terminated}{qualifier}'", "columns: { 'f:{row}': '' }"}));
  world.PutSource("r", "f:q", "v");
  world.Index("r");
  world.PutCell({"x_table", std::string_view("z\0q", 3), "f", "r", ""});
  EXPECT_THAT(world.Compare(), ElementsAre("orphan r -> x_table z\\x00q f:r"));
}

/// Tables by the time of f:a in this pattern, of which some day of 2016 is the newest.
std::unique_ptr<SweepWorld> PeriodWorld(const std::string& pattern, const std::string& keep) {
  auto world = std::make_unique<SweepWorld>(LoadFile("source: t\nindexes:\n  x:\n    table: 'x_{f:a@ts | time " +
                                                     pattern + "}'\n    retention: " + keep +
                                                     "\n    row: '{row}'\n    columns: { 'f:': '{f:a}' }\n"));
  world->clock()->set_wall(int64_t{17'000} * 86'400'000);
  return world;
}

TEST(Backward, TheTablesOfAllPeriodsWithinKeepAreRead) {
  const auto world = PeriodWorld("%Y%m%d", "30d");
  world->MakeTable("x_20160710");
  world->MakeTable("x_other");
  world->PutCell({"x_20160710", "nobody", "f", "", ""});
  world->PutCell({"x_other", "nobody", "f", "", ""});
  EXPECT_THAT(world->Compare(), ElementsAre("orphan nobody -> x_20160710 nobody f:"));
}

TEST(Backward, OfTablesThatNobodyCanNameNothingIsProved) {
  const auto world = PeriodWorld("%Y%m%d%H", "3000d");
  world->MakeTable("x_2016071000");
  world->PutCell({"x_2016071000", "nobody", "f", "", ""});
  CompareOptions options;
  options.forward = false;
  EXPECT_THAT(world->Compare(options), ElementsAre(HasSubstr("Compare both directions")));
}

TEST(Backward, WhatTheSourceStillHasOfADroppedPeriodIsNotMissing) {
  const auto world = PeriodWorld("%Y%m%d", "30d");
  world->PutSource("r", "f:a", "v", int64_t{16'900} * 86'400'000);
  EXPECT_THAT(world->Compare(), IsEmpty());
  EXPECT_EQ(world->counts().outside, 1);
}

TEST(Backward, ATableThatSomebodyDropsIsNotWaitedFor) {
  const auto world = PeriodWorld("%Y%m%d", "30d");
  world->PutSource("r", "f:a", "v", int64_t{16'900} * 86'400'000);
  world->Index("r");
  MustBe(world->store()->CreateTable({world->index().state_table(), {{.name = meta::kFamily}}}, {}));
  const meta::VersionedMetaRow own(world->store(), world->index().state_table(), meta::kOwnRow);
  MustBe(meta::DroppedTables(own).Note("x_20160409"));
  world->faulty()->SetObserver([](FaultyStore::Call call, const std::string& table) {
    const bool disabled = table == "x_20160409" && call == FaultyStore::Call::kScan;
    return disabled ? Status(StatusCode::kUnavailable, table + " is disabled") : Status();
  });
  EXPECT_THAT(world->Compare(), IsEmpty());
}

}  // namespace
}  // namespace fensi::sweep
