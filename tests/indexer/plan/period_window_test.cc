// Which periods may get entries now, and what becomes of the others.
#include "mapping/period_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/indexer/plan/planned.h"
#include "tests/indexer/support/rules.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using mapping::PeriodWindow;

constexpr int64_t kNow = 100 * kDayMillis;

/// PeriodRule keeps five days.
PeriodWindow FiveDays() { return {*CompileRule(PeriodRule()), kNow}; }

mapping::Entry InPeriod(int64_t period, std::string_view value = "v") {
  mapping::Entry entry = EntryOf("a", value);
  entry.period = period;
  return entry;
}

TEST(PeriodWindow, AnIndexWithoutKeepTakesEverything) {
  const PeriodWindow window(*CompileRule(ValueRule()), kNow);
  EXPECT_FALSE(window.limited());
  EXPECT_TRUE(window.Inside(InPeriod(INT64_MIN)));
  EXPECT_TRUE(window.Inside(InPeriod(INT64_MAX)));
}

TEST(PeriodWindow, ReachesFromKeepBeforeNowToADayAhead) {
  const PeriodWindow window = FiveDays();
  EXPECT_TRUE(window.Inside(InPeriod(kNow - 5 * kDayMillis)));
  EXPECT_FALSE(window.Inside(InPeriod(kNow - 5 * kDayMillis - 1)));
  EXPECT_TRUE(window.Inside(InPeriod(kNow + kDayMillis)));
  EXPECT_FALSE(window.Inside(InPeriod(kNow + kDayMillis + 1)));
}

/// What was refused.
std::vector<int64_t> Refuse(const mapping::EntryList& before, mapping::EntryList* after) {
  std::vector<int64_t> periods;
  FiveDays().Refuse(before, after, [&](const mapping::Entry& entry) { periods.push_back(entry.period); });
  return periods;
}

TEST(PeriodWindow, WhatLiesOutsideIsTakenOutAndReported) {
  mapping::EntryList after = EntriesIn({InPeriod(0), InPeriod(kNow)});
  EXPECT_THAT(Refuse({}, &after), ElementsAre(0));
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].period, kNow);
}

TEST(PeriodWindow, WhatIsThereAsItIsStays) {
  mapping::EntryList after = EntriesIn({InPeriod(0, "v")});
  EXPECT_THAT(Refuse(EntriesIn({InPeriod(0, "v")}), &after), IsEmpty());
  EXPECT_EQ(after.size(), 1u);
}

TEST(PeriodWindow, AnotherValueOutsideIsRefusedEvenWhereOneIsThere) {
  mapping::EntryList after = EntriesIn({InPeriod(0, "new")});
  EXPECT_THAT(Refuse(EntriesIn({InPeriod(0, "old")}), &after), ElementsAre(0));
  EXPECT_TRUE(after.empty());
}

TEST(PeriodWindow, LeavesAloneWhatStaysOutside) {
  const PeriodWindow window = FiveDays();
  EXPECT_TRUE(window.LeavesAlone(InPeriod(0), EntriesIn({InPeriod(0)})));
  EXPECT_FALSE(window.LeavesAlone(InPeriod(0), {})) << "its source went";
  EXPECT_FALSE(window.LeavesAlone(InPeriod(kNow), EntriesIn({InPeriod(kNow)})));
}

TEST(PeriodWindow, NoticesAnEntryThatMovesInside) {
  const PeriodWindow window = FiveDays();
  EXPECT_TRUE(window.CameInside(InPeriod(kNow), EntriesIn({InPeriod(0)})));
  EXPECT_FALSE(window.CameInside(InPeriod(kNow), EntriesIn({InPeriod(kNow)})));
  EXPECT_FALSE(window.CameInside(InPeriod(kNow), {}));
  EXPECT_FALSE(PeriodWindow().CameInside(InPeriod(kNow), EntriesIn({InPeriod(0)})));
}

}  // namespace
}  // namespace fensi::testing
