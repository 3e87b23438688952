// TTL: an entry goes with its source; with `expire: exact`, with the first of its cells.
#include <gtest/gtest.h>

#include "indexer/tables.h"
#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

constexpr char kTenSeconds[] = "    create: { families: { f: { ttl: 10s } } }\n";
constexpr char kTenSecondsExact[] = "    create: { families: { f: { ttl: 10s } } }\n    expire: exact\n";

/// Is there an entry at `now` milliseconds?
bool ShownAt(Scenario* s, int64_t now) {
  s->world()->clock()->Set(now);
  return !s->Index().empty();
}

/// The entry is there until then, and gone then.
void ExpectEnd(Scenario* s, int64_t there, int64_t gone) {
  EXPECT_TRUE(ShownAt(s, there)) << "at " << there;
  EXPECT_FALSE(ShownAt(s, gone)) << "at " << gone;
}

/// An entry of two columns with these cells is there until then, and gone then.
void ExpectEndOfBoth(const std::string& options, const std::string& cells, int64_t there, int64_t gone) {
  Scenario s(CompositeRule(), Scenario::Source::kKept, options);
  s.Tells({s.Happens(cells)});
  ExpectEnd(&s, there, gone);
}

TEST(Expiry, AnEntryOutlivesItsFirstColumnByTheDifferenceOfTheirTimestamps) {
  ExpectEndOfBoth(kTenSeconds, "k=a@1000 m=b@4000", 13'000, 14'001);
}

TEST(Expiry, AnExactEntryGoesWithTheFirstOfItsColumns) {
  ExpectEndOfBoth(kTenSecondsExact, "k=a@1000 m=b@4000", 10'500, 11'001);
}

TEST(Expiry, AnExactEntryLivesAsLongAsItsCellsOwnTtl) {
  Scenario s(RowRule(), Scenario::Source::kKept, kTenSecondsExact);
  ChangeEvent event = s.Happens("k=a@1000");
  event.cells[0].tags.push_back(MakeTtlTag(2000));
  s.Tells({event});
  ExpectEnd(&s, 2'500, 3'001);
}

/// The rows of the index that are shown at `now`.
std::string RowsAt(Scenario* s, int64_t now) {
  s->world()->clock()->Set(now);
  std::string rows;
  for (const auto& [cell, value] : s->Index()) rows += cell.first + " ";
  return rows;
}

TEST(Expiry, AnExactEntryGoesWithItsOwnCellsAlone) {
  const Rule each{"each",
                  "    each: f:q*\n    row: '{qualifier}'\n    columns: { 'f:{row}': '' }\n    when: ['{f:m} != no']\n",
                  {}};
  Scenario s(each, Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("q1=a@1000 q2=a@4000 m=yes@5000 q3=a@9000")});
  EXPECT_EQ(RowsAt(&s, 10'999), "q1 q2 q3 ");
  EXPECT_EQ(RowsAt(&s, 11'001), "q2 q3 ");
  EXPECT_EQ(RowsAt(&s, 14'001), "q3 ");
  EXPECT_EQ(RowsAt(&s, 15'001), "") << "the condition's column is gone";
}

TEST(Expiry, AnExactEntryOfACellStampedAheadGoesWithTheOlderOne) {
  ExpectEndOfBoth(kTenSecondsExact, "k=a@1000 m=b@60000", 10'999, 11'001);
}

TEST(Expiry, AnExactEntryOfAnExpiredCellIsNeverShown) {
  Scenario s(CompositeRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.world()->clock()->Set(50'000);
  s.Tells({s.Happens("k=a@1000 m=b@50000")});
  EXPECT_FALSE(ShownAt(&s, 50'000));
}

TEST(Expiry, EachFamilyEndsByItsOwnRule) {
  const Rule two{"two", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:k}', 'g:{row}': '{g:m}' }\n", {}};
  Scenario s(two, Scenario::Source::kKept,
             "    create: { families: { f: { ttl: 10s }, g: { ttl: 3s } } }\n    expire: exact\n");
  ChangeEvent event = s.Happens("k=a@1000 m=b@1000");
  event.cells[1].family = "g";
  s.Tells({event});
  s.world()->clock()->Set(3'999);
  EXPECT_EQ(s.Index().size(), 2u);
  s.world()->clock()->Set(4'001);
  EXPECT_EQ(s.Index().size(), 1u);
  EXPECT_FALSE(ShownAt(&s, 11'001));
}

ChangeEvent WithTtl(ChangeEvent event, int64_t millis) {
  for (Cell& cell : event.cells) cell.tags.push_back(MakeTtlTag(millis));
  return event;
}

TEST(Expiry, AnExactEntryOfARowInDoubtKeepsItsCellsOwnTtl) {
  Scenario s(RowRule(), Scenario::Source::kRead, kTenSecondsExact);
  s.Tells({WithTtl(s.Happens("k=a@1000"), 2'000), s.Happens("D:k@1001")});
  EXPECT_GT(s.world()->counters()->source_reads, 0);
  ExpectEnd(&s, 2'999, 3'001);
}

TEST(Expiry, AnExactEntryThatGoesEarlyUncoversNoOlderOneOfItsCell) {
  Scenario s(RowRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000")});
  s.Tells({WithTtl(s.Happens("k=b@1001"), 1'000)});
  ExpectEnd(&s, 2'000, 2'002);
}

TEST(Expiry, AnExactEntryUncoversNoneThatItsBatchRemovedBeforeIt) {
  Scenario s(RowRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000")});
  s.Tells({s.Happens("DC:k@1000"), WithTtl(s.Happens("k=b@1001"), 1'000)});
  ExpectEnd(&s, 2'000, 2'003);
}

TEST(Expiry, ASharedCellLivesAsLongAsTheLastRowThatGivesIt) {
  const Rule shared{"shared", "    row: '{f:k}'\n    columns: { 'f:': '' }\n    shared: true\n", {}};
  Scenario s(shared, Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@2000", "long"), WithTtl(s.Happens("k=a@1000", "short"), 500)});
  ExpectEnd(&s, 11'900, 12'001);
}

TEST(Expiry, AnOlderCellThatAVersionDeleteUncoversKeepsItsOwnTtl) {
  Scenario s(RowRule(), Scenario::Source::kRead, kTenSecondsExact);
  s.Tells({WithTtl(s.Happens("k=a@1000"), 2'000)});
  s.Tells({s.Happens("k=b@1001")});
  s.Restarts();
  s.Tells({s.Happens("D:k@1001")});
  ExpectEnd(&s, 2'999, 3'001);
}

TEST(Expiry, ARefreshedColumnGivesTheEntryNewLife) {
  Scenario s(CompositeRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000 m=b@4000")});
  s.Tells({s.Happens("k=a@6000")});
  ExpectEnd(&s, 13'500, 14'001);
}

TEST(Expiry, StatesOutliveTheLastReplayAndThenGo) {
  Scenario s(RowRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000")});
  const auto states = [&](int64_t now) {
    s.world()->clock()->Set(now);
    return s.world()->store()->Scan("inverse_state", {})->size();
  };
  EXPECT_EQ(states(11'000 + indexer::kReplayWindowMillis - 1), 1u);
  EXPECT_EQ(states(11'000 + indexer::kReplayWindowMillis + 1), 0u);
}

}  // namespace
}  // namespace fensi::testing
