// Which tables a lookup reads when there is one for each period.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/lookup.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

std::shared_ptr<const Index> WithTablesNamed(const std::string& format) {
  const std::string table = "'t_{o:time | int | from_ms | " + format + "}'";
  Diagnostics diagnostics;
  const auto mappings =
      Load({{"test.yaml", "source: t\nindexes:\n  x:\n    table: " + table +
                              "\n    retention: 30d\n    row: '{row}'\n    columns: { 'f:': '{o:no}' }\n"}},
           &diagnostics, TestEnvironment());
  EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
  return mappings.at(0).indexes.at(0);
}

std::vector<std::string> Tables(const Index& index, const std::string& from, const std::string& to) {
  const auto lookup = PlanLookup(index, {{}, from, to});
  return lookup.ok() ? (*lookup)->tables() : std::vector<std::string>{lookup.status().message()};
}

TEST(TablesBetween, AreThoseOfAllPeriodsThatTheSpanTouches) {
  const auto daily = WithTablesNamed("time %Y%m%d");
  EXPECT_THAT(Tables(*daily, "2016-12-19", "2016-12-21"), ElementsAre("t_20161219", "t_20161220"));
  EXPECT_THAT(Tables(*daily, "2016-12-19T23:59", "2016-12-20T00:00:00.001"), ElementsAre("t_20161219", "t_20161220"));
  const auto hourly = WithTablesNamed("time %d%H");
  EXPECT_THAT(Tables(*hourly, "2016-12-19T10:30", "2016-12-19T11:10"), ElementsAre("t_1910", "t_1911"));
}

TEST(TablesBetween, LeaveOutNoShortPeriod) {
  EXPECT_EQ(Tables(*WithTablesNamed("time %H%M"), "2016-12-19T10:00", "2016-12-19T12:00").size(), 120u);
  EXPECT_EQ(Tables(*WithTablesNamed("time %H%M%S"), "2016-12-19T10:00", "2016-12-19T10:01").size(), 60u);
}

TEST(TablesBetween, LeaveOutNoHourThatAChangeOfClocksCutShort) {
  EXPECT_THAT(Tables(*WithTablesNamed("time %d%H Test/Half"), "2015-12-31T22:15", "2016-01-01T01:15"),
              ElementsAre("t_3122", "t_3123", "t_0100", "t_0101", "t_0102"));
}

TEST(TablesBetween, AreThoseOfNumbersToo) {
  EXPECT_THAT(Tables(*WithTablesNamed("time %Y%m%d"), "1482125382074", "1482191999999"), ElementsAre("t_20161219"));
}

TEST(TablesBetween, NameATableOfACycleOnce) {
  EXPECT_EQ(Tables(*WithTablesNamed("time %m%d"), "2015-01-01", "2016-01-01").size(), 365u);
  EXPECT_EQ(Tables(*WithTablesNamed("time %m%d"), "2014-01-01", "2016-01-01").size(), 365u);
}

TEST(TablesBetween, AreNotSilentlyClipped) {
  const auto daily = WithTablesNamed("time %Y%m%d");
  EXPECT_EQ(Tables(*daily, "1990-01-01", "2017-05-19").size(), 10'000u);
  EXPECT_THAT(
      Tables(*daily, "1990-01-01", "2017-05-20"),
      ElementsAre("index x can have more than 10000 tables 't_{o:time | int | from_ms | time \"%Y%m%d\"}' between "
                  "--from 1990-01-01 and --to 2017-05-20: give a shorter time"));
  EXPECT_THAT(Tables(*WithTablesNamed("time %Y%L"), "1990-01-01", "2017-01-01"),
              ElementsAre(HasSubstr("shorter time")));
}

}  // namespace
}  // namespace fensi::mapping
