// Which tables of periods are over: what is called so is dropped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "mapping/instant.h"
#include "mapping/lookup.h"
#include "mapping/mapping.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

int64_t At(const std::string& time) { return ParseInstant(time).value(); }

std::shared_ptr<const Index> Periods(const std::string& table) {
  Diagnostics diagnostics;
  const auto mappings = Load({{"test.yaml", "source: s\nindexes:\n  x:\n    table: '" + table +
                                                "'\n    retention: 30d\n    state_table: states\n    row: '{row}'\n" +
                                                "    columns: { 'f:': '{o:no}' }\n"}},
                             &diagnostics, TestEnvironment());
  EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
  return mappings.at(0).indexes.at(0);
}

/// Of a template with `time` behind what gives the time: "%Y%m%d", "%Y%m%d Test/Half".
std::shared_ptr<const Index> Named(const std::string& format) {
  return Periods("t_{o:time | int | from_ms | time " + format + "}");
}

/// Wanted from `from` on, to a day and an hour ahead of a `retention` of 30 days.
std::vector<std::string> Ended(const Index& index, const std::vector<std::string>& tables, const std::string& from) {
  constexpr int64_t kDay = 86'400'000;
  const auto ended = EndedPeriods(index, tables, At(from), At(from) + 31 * kDay + kDay / 24);
  if (!ended.ok()) return {ended.status().message()};
  std::vector<std::string> names;
  for (const EndedPeriod& period : *ended) names.push_back(period.table);
  return names;
}

TEST(EndedPeriods, APeriodIsOverWhenItsLastMillisecondIsAndNotBefore) {
  const auto daily = Named("%Y%m%d");
  const std::vector<std::string> tables = {"t_20161218", "t_20161219", "t_20161220"};
  EXPECT_THAT(Ended(*daily, tables, "2016-12-19"), ElementsAre("t_20161218"));
  EXPECT_THAT(Ended(*daily, tables, "2016-12-18T23:59:59.999Z"), ElementsAre());
  EXPECT_THAT(Ended(*daily, tables, "2016-12-19T00:00:00.001Z"), ElementsAre("t_20161218"));
  const auto monthly = Named("%Y%m");
  EXPECT_THAT(Ended(*monthly, {"t_201611", "t_201612"}, "2016-12-31T23:59:59.999Z"), ElementsAre("t_201611"));
  EXPECT_THAT(Ended(*monthly, {"t_201611", "t_201612"}, "2017-01-01"), ElementsAre("t_201611", "t_201612"));
}

TEST(EndedPeriods, TellTheLastMillisecondOfEach) {
  const auto ended = EndedPeriods(*Named("%Y%m"), {"t_201602", "t_190002"}, At("2016-12-19"), At("2017-02-01"));
  ASSERT_TRUE(ended.ok());
  EXPECT_THAT(*ended, ElementsAre(EndedPeriod{"t_190002", At("1900-02-28T23:59:59.999Z")},
                                  EndedPeriod{"t_201602", At("2016-02-29T23:59:59.999Z")}));
}

TEST(EndedPeriods, LeapDaysAreDaysOfLeapYearsAlone) {
  const auto daily = Named("%Y%m%d");
  EXPECT_THAT(Ended(*daily, {"t_20160229", "t_20150229", "t_19000229", "t_20000229"}, "2016-12-19"),
              ElementsAre("t_20000229", "t_20160229"));
}

TEST(EndedPeriods, FollowTheClocksThatTheTemplateNames) {
  const std::vector<std::string> tables = {"t_20161218", "t_20161219"};
  EXPECT_THAT(Ended(*Named("%Y%m%d +08:00"), tables, "2016-12-18T16:00"), ElementsAre("t_20161218"));
  EXPECT_THAT(Ended(*Named("%Y%m%d +08:00"), tables, "2016-12-18T15:59:59.999Z"), ElementsAre());
  EXPECT_THAT(Ended(*Named("%Y%m%d -05:00"), tables, "2016-12-19T04:59:59.999Z"), ElementsAre());
  EXPECT_THAT(Ended(*Named("%Y%m%d -05:00"), tables, "2016-12-19T05:00"), ElementsAre("t_20161218"));
}

/// Whatever the clocks show, a name is over exactly when no time from the bound on has it.
void ExpectOverWhenNoLaterTimeHasTheName(const Index& hourly) {
  constexpr int64_t kDay = 86'400'000;
  for (int64_t at = At("2015-12-31T20:00"); at < At("2016-01-01T03:00"); at += 900'000) {
    const auto behind = PeriodTables(hourly, at, at + kDay);
    const auto all = PeriodTables(hourly, At("2015-12-31T18:00"), at + kDay);
    ASSERT_TRUE(behind.ok() && all.ok());
    std::vector<std::string> over;
    for (const std::string& name : *all) {
      if (std::find(behind->begin(), behind->end(), name) == behind->end()) over.push_back(name);
    }
    EXPECT_THAT(Ended(hourly, *all, *FormatInstant(at)), ::testing::UnorderedElementsAreArray(over))
        << *FormatInstant(at);
  }
}

TEST(EndedPeriods, HoursThatAChangeOfClocksCutsShortOrShowsTwice) {
  ExpectOverWhenNoLaterTimeHasTheName(*Named("%Y%m%d%H Test/Half"));
  ExpectOverWhenNoLaterTimeHasTheName(*Named("%Y%m%d%H Test/Back"));
}

/// Clocks were set forward over 00:30 to 01:00, so no time of a row has such a name.
TEST(EndedPeriods, ANameThatNoClockShowedIsNone) {
  EXPECT_THAT(
      Ended(*Named("%Y%m%d%H%M Test/Half"), {"t_201601010029", "t_201601010045", "t_201601010100"}, "2016-01-02"),
      ElementsAre("t_201601010029", "t_201601010100"));
}

TEST(EndedPeriods, NamesOfSeveralPieces) {
  const std::string time = "{o:time | int | from_ms | time ";
  const auto pieces = Periods("t_" + time + "%d}_of_" + time + "%m}_in_" + time + "%Y}");
  EXPECT_THAT(Ended(*pieces, {"t_18_of_12_in_2016", "t_19_of_12_in_2016", "t_18_of_13_in_2016", "t_18_in_12_of_2016"},
                    "2016-12-19"),
              ElementsAre("t_18_of_12_in_2016"));
}

TEST(EndedPeriods, OnlyWhatTheTemplateNamesExactly) {
  EXPECT_THAT(
      Ended(*Named("%Y%m%d"),
            {"t_20161218x", "xt_20161218", "t_2016121", "t_20161318", "t_20161232", "t_00000000", "t_", "states",
             "t_state", "t_daily_20161218", "t_20161218_state", "n:t_20161218", "T_20161218", "t_2016-12-18"},
            "2016-12-19"),
      ElementsAre());
}

TEST(EndedPeriods, NeverOneOfTheFuture) {
  EXPECT_THAT(Ended(*Named("%Y%m%d"), {"t_20161219", "t_20170120", "t_20990101", "t_99991231"}, "2016-12-19"),
              ElementsAre());
}

TEST(EndedPeriods, ANameThatComesRoundAgainIsOverWhileItIsNotWanted) {
  const auto of_day = Named("%m%d");
  EXPECT_THAT(Ended(*of_day, {"t_1218", "t_1219", "t_0118", "t_0119", "t_0121", "t_0229", "t_0230"}, "2016-12-19"),
              ElementsAre("t_0121", "t_0229", "t_1218"));
  EXPECT_THAT(Ended(*Named("%d"), {"t_18", "t_19", "t_01"}, "2016-12-19"), ElementsAre()) << "31 days are all of them";
}

TEST(EndedPeriods, YearsOfTwoDigitsAndDaysOfTheYear) {
  EXPECT_THAT(Ended(*Named("%y%j"), {"t_16353", "t_16354", "t_15365", "t_15366", "t_16366"}, "2016-12-19"),
              ElementsAre("t_15365", "t_16353"));
}

TEST(EndedPeriods, OfNamesThatAreNumbersBesideATime) {
  const std::string time = "{o:time | int | from_ms | ";
  const auto index = Periods("t_" + time + "time %Y}_" + time + "floor_day | seconds | div 86400 | decimal}");
  EXPECT_THAT(Ended(*index, {"t_2016_17153", "t_2016_17154", "t_2015_17153"}, "2016-12-19"),
              ElementsAre("t_2016_17153"));
}

TEST(EndedPeriods, OfNamesThatDoNotFollowFromTheTimeAloneNothingIsTold) {
  EXPECT_THAT(Ended(*Periods("t_{o:time | int | from_ms | time %Y}_{o:who}"), {"t_2010_me"}, "2016-12-19"),
              ElementsAre(HasSubstr("have more than a time")));
}

TEST(EndedPeriods, ManyTablesAreToldApartInAMoment) {
  std::vector<std::string> tables;
  for (int minute = 0; minute < 1440; ++minute) {
    char name[32];
    snprintf(name, sizeof name, "t_20161218%02d%02d", minute / 60, minute % 60);
    tables.emplace_back(name);
  }
  EXPECT_EQ(Ended(*Named("%Y%m%d%H%M"), tables, "2016-12-18T12:00").size(), 720u);
}

}  // namespace
}  // namespace fensi::mapping
