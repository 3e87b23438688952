// TTL: an entry goes with its source; with `expire: exact`, with the first of its cells.
#include <gtest/gtest.h>

#include "indexer/tables.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/two_logs.h"

namespace fensi::testing {
namespace {

constexpr char kTenSeconds[] = "    create: { families: { f: { ttl: 10s } } }\n";
constexpr char kTenSecondsAndOneVersion[] = "    create: { families: { f: { ttl: 10s, min_versions: 1 } } }\n";
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

/// Entries of one cell or of two, of which the source is read.
class OwnEnd : public ::testing::TestWithParam<Rule> {
 protected:
  void Tells(int64_t now, const char* column_cells, int64_t ttl = 0) {
    s_.world()->clock()->Set(now);
    ChangeEvent event{.table = "source", .row = "r", .sequence_id = ++sequence_};
    for (const char* column : {"k", "m", "v"}) {
      Cell cell = ParseCell(column_cells);
      if (!IsFamilyMarker(cell.type)) cell.qualifier = column;
      if (ttl > 0) cell.tags.push_back(MakeTtlTag(ttl));
      event.cells.push_back(std::move(cell));
    }
    s_.world()->ApplyToSource(event);
    s_.Tells({event});
  }

  void TellsBelowAnEnd(const char* older) {
    Tells(1'000, "k=b@1000", 2'000);
    EXPECT_NE(s_.Index(), Entries());
    Tells(50'000, older);
    EXPECT_EQ(s_.Difference(), "");
  }

  Scenario s_{GetParam(), Scenario::Source::kRead};

 private:
  uint64_t sequence_ = 0;
};

TEST_P(OwnEnd, APutThatIsToldAfterItLeavesNoEntry) {
  Tells(50'000, "k=b@1000", 2'000);
  EXPECT_EQ(s_.Difference(), "");
  EXPECT_EQ(s_.Index(), Entries());
}

TEST_P(OwnEnd, AnOlderPutThatIsToldAfterItShows) { TellsBelowAnEnd("k=c@900"); }
TEST_P(OwnEnd, AnOlderVersionDeleteToldAfterItTakesTheEntryAlong) { TellsBelowAnEnd("D:k@900"); }
TEST_P(OwnEnd, AnOlderColumnDeleteToldAfterItTakesTheEntryAlong) { TellsBelowAnEnd("DC:k@900"); }
TEST_P(OwnEnd, AnOlderFamilyDeleteToldAfterItTakesTheEntryAlong) {
  Tells(900, "DF@900");
  TellsBelowAnEnd("DF@800");
}

INSTANTIATE_TEST_SUITE_P(Rules, OwnEnd,
                         ::testing::Values(RowRule(), ValueRule(), TwoPartRule(), QualifierRule(), FanOutRule(),
                                           MirrorValueRule(), MirrorTimeRule(), MirrorEachValueRule()),
                         RuleName);

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

/// The same values at 1,000 and at 13,000 ms, with a TTL of 20 s.
class Renewal : public ::testing::TestWithParam<Scenario::Source> {
 protected:
  static constexpr char kTwentySeconds[] = "    create: { families: { f: { ttl: 20s } } }\n";

  /// Live at 22,000, when the first cells have expired, and gone with the second ones.
  static void ExpectRenewed(const Rule& rule, Scenario::Source source, const char* again) {
    Scenario s(rule, source, kTwentySeconds);
    s.world()->clock()->Set(1'000);
    s.Tells({s.Happens("k=b@1000 v=b@1000 m=b@1000")});
    s.world()->clock()->Set(13'000);
    s.Tells({s.Happens(again)});
    s.world()->clock()->Set(22'000);
    EXPECT_EQ(s.Difference(), "") << rule.name;
    s.world()->clock()->Set(33'001);
    EXPECT_EQ(s.Index(), Entries()) << rule.name;
  }
};

TEST_P(Renewal, NoEntryExpiresBeforeTheNewestOfItsCells) {
  std::vector<Rule> rules = AllRules();
  rules.push_back(UniqueRule());
  rules.push_back(SharedRule());
  if (GetParam() == Scenario::Source::kRead) {
    for (const Rule& rule : MirrorRules()) rules.push_back(rule);
  }
  for (const Rule& rule : rules) {
    ExpectRenewed(rule, GetParam(), "k=b@13000 v=b@13000 m=b@13000");
    ExpectRenewed(rule, GetParam(), "DC:k@12999 k=b@13000 v=b@13000 m=b@13000");
  }
}

TEST_P(Renewal, InATableOfAPeriod) {
  const Rule period{"period",
                    "    retention: 5d\n    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n",
                    [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
                      if (cells.contains({"f", "k"})) (*out)[{"inverse01/b", "f:" + row}] = "";
                    },
                    "'inverse{f:k@ts | time %d}'",
                    {"inverse01"}};
  ExpectRenewed(period, GetParam(), "k=b@13000");
}

/// Cells written by one event count once, however often it is told.
TEST_P(Renewal, IsDoneOnceHoweverOftenAnEventIsTold) {
  Scenario s(ValueRule(), GetParam(), kTwentySeconds);
  s.Tells({s.Happens("k=b@1000")});
  const auto again = s.Happens("k=b@13000");
  s.Tells({again});
  const int64_t puts = s.world()->counters()->puts;
  s.Tells({again});
  s.Restarts();
  s.Tells({again, again});
  EXPECT_EQ(s.world()->counters()->puts, puts);
}

TEST_P(Renewal, CostsNothingWithoutATtlNorWhereTheCellIsNotOfTheEntry) {
  Scenario forever(ValueRule(), GetParam());
  forever.Tells({forever.Happens("k=b@1000")});
  forever.Tells({forever.Happens("k=b@13000")});
  EXPECT_EQ(forever.world()->counters()->puts, 1);
  Scenario s(TwoColumnsRule(), GetParam(), kTwentySeconds);
  s.Tells({s.Happens("k=b@1000 v=b@1000 m=b@1000")});
  s.world()->clock()->Set(13'000);
  s.Tells({s.Happens("v=b@13000")});
  EXPECT_EQ(s.world()->counters()->puts, 3) << "m, and the column that is made of it, are as old as before";
}

/// Its table may be dropped by now.
TEST_P(Renewal, LeavesAPeriodThatIsNotKeptAnyMoreAlone) {
  const Rule period{"period",
                    "    retention: 1d\n    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n",
                    {},
                    "'inverse{f:k@ts | time %d}'",
                    {"inverse01"}};
  Scenario s(period, GetParam(), "    create: { families: { f: { ttl: 30d } } }\n");
  s.Tells({s.Happens("k=b@1000 v=b@1000")});
  s.world()->clock()->Set(5 * kDayMillis);
  const int64_t puts = s.world()->counters()->puts;
  s.Tells({s.Happens("v=b@" + std::to_string(5 * kDayMillis))});
  EXPECT_EQ(s.world()->counters()->puts, puts);
}

INSTANTIATE_TEST_SUITE_P(Sources, Renewal, ::testing::Values(Scenario::Source::kKept, Scenario::Source::kRead),
                         [](const auto& source) { return source.param == Scenario::Source::kKept ? "kept" : "read"; });

TEST(Expiry, APutBelowAFamilyDeleteThatTheSourceHasDroppedLivesAsLongAsItsCell) {
  Scenario s(QualifierRule(), Scenario::Source::kRead, kTenSeconds);
  s.world()->clock()->Set(100'000);
  s.Tells({s.Happens("DF@99000")});
  s.world()->CompactSource();
  s.Tells({s.Happens("q=x@98000")});
  EXPECT_EQ(s.Difference(), "");
  s.world()->clock()->Set(107'000);
  EXPECT_EQ(s.Difference(), "");
  EXPECT_FALSE(ShownAt(&s, 108'100));
}

TEST(Expiry, ARecheckPutsAnEntryAsHighAsTheCellsThatTheSourceShows) {
  Scenario s(QualifierRule(), Scenario::Source::kRead, kTenSeconds);
  s.world()->clock()->Set(100'000);
  s.Happens("q=x@99000");  // nobody tells of it
  auto owner = s.world()->NewMaintainer(false);
  Must(ApplyRequests(s.world(), owner.get(), {RecheckOf("r")}));
  EXPECT_EQ(s.Difference(), "");
  EXPECT_FALSE(ShownAt(&s, 109'100));
}

/// After `f:m` has ended, `f:k` tells of the row.
void ExpectWithoutEnded(const Rule& rule, Scenario::Source source) {
  Scenario s(rule, source, "    create: { families: { f: { ttl: 20s } } }\n");
  s.world()->clock()->Set(1'000);
  s.Tells({s.Happens("k=b@1000 v=b@1000 m=a@1000")});
  s.world()->clock()->Set(15'000);
  s.Tells({s.Happens("k=b@15000")});
  s.world()->clock()->Set(22'000);
  s.Tells({s.Happens("k=c@22000")});
  EXPECT_EQ(s.Difference(), "") << rule.name;
}

TEST(Expiry, AnEntryIsMadeAgainWithoutCellsThatHaveEndedWithTheRowsNextEvent) {
  const Rule absent{"absent", "    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n    when: ['not {f:m}']\n",
                    [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
                      const auto key = cells.find({"f", "k"});
                      if (key != cells.end() && !cells.contains({"f", "m"})) {
                        (*out)[{key->second.value, "f:" + row}] = "";
                      }
                    }};
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    for (const Rule& rule : {absent, ValueRule(), TwoPartRule(), CompositeRule(), ConditionRule(), ListRule(),
                             TwoColumnsRule(), EachConditionRule()}) {
      ExpectWithoutEnded(rule, source);
    }
  }
}

/// `f:v` ends, and the row tells of an older delete of it, which hides nothing that an earlier one does not hide.
Entries AfterADeleteThatHidesNothingNew(const std::string& more, Scenario::Source source) {
  const Rule rule{"default", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n" + more, {}};
  Scenario s(rule, source, "    create: { families: { f: { ttl: 20s } } }\n");
  s.world()->clock()->Set(1'000);
  s.Tells({s.Happens("DC:v@900"), s.Happens("v=a@1000")});
  s.world()->clock()->Set(15'000);
  s.Tells({s.Happens("k=b@15000")});
  s.world()->clock()->Set(22'000);
  s.Tells({s.Happens("DC:v@800")});
  return s.Index();
}

TEST(Expiry, ADeleteThatHidesNothingNewIsNoEventOfTheRowWhereTheSourceIsNotRead) {
  const std::string unique = "    unique: true\n";
  const Entries as_before{{{"b", "f:r"}, "a"}};
  EXPECT_EQ(AfterADeleteThatHidesNothingNew("", Scenario::Source::kKept), as_before);
  EXPECT_EQ(AfterADeleteThatHidesNothingNew(unique, Scenario::Source::kKept), as_before);
  EXPECT_EQ(AfterADeleteThatHidesNothingNew(unique, Scenario::Source::kRead), as_before);
  EXPECT_EQ(AfterADeleteThatHidesNothingNew("", Scenario::Source::kRead), (Entries{{{"b", "f:r"}, "none"}}));
}

TEST(Expiry, ACellThatHasEndedKeepsNoEntryAlive) {
  const Rule rule{"of two", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v}' }\n", {}};
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(rule, source, kTenSeconds);
    s.world()->clock()->Set(1'000);
    s.Tells({s.Happens("k=a@1000 v=x@1000")});
    for (int64_t now = 12'000; now < 60'000; now += 5'000) {
      s.world()->clock()->Set(now);
      s.Tells({s.Happens("v=y@" + std::to_string(now))});
      EXPECT_EQ(s.Index(), Entries()) << now;
    }
  }
}

TEST(Expiry, AnEntryOfACellThatHasEndedIsNotBroughtToLightAgain) {
  for (const Rule& rule : {RowRule(), QualifierRule(), SharedRule()}) {
    Scenario s(rule, Scenario::Source::kKept, kTenSeconds);
    s.world()->clock()->Set(1'000);
    s.Tells({s.Happens("k=a@1000")});
    s.world()->clock()->Set(30'000);
    s.Tells({s.Happens("k=a@30000")});
    s.Tells({s.Happens("D:k@30000")});
    EXPECT_EQ(s.Difference(), "") << rule.name;
  }
}

/// A key is free when its row's cell has ended.
TEST(Expiry, ARowWhoseKeyEndedLeavesItToTheOneThatTookIt) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(UniqueRule(), source, kTenSeconds);
    s.world()->clock()->Set(1'000);
    s.Tells({s.Happens("k=b@1000", "first")});
    s.world()->clock()->Set(20'000);
    s.Tells({s.Happens("k=b@20000 v=a@20000", "second")});
    s.world()->clock()->Set(21'000);
    s.Tells({s.Happens("v=a@21000", "first")});
    EXPECT_EQ(s.Index(), (Entries{{{"b", "f:a"}, "second"}}));
  }
}

TEST(Expiry, ASharedEntryOfACellThatHasEndedIsNotWrittenAgain) {
  for (const char* event : {"D:k@30000", "DFV@30000"}) {
    Scenario s(SharedRule(), Scenario::Source::kKept, kTenSeconds);
    s.world()->clock()->Set(1'000);
    s.Tells({s.Happens("k=a@1000")});
    s.world()->clock()->Set(30'000);
    s.Tells({s.Happens(event)});
    EXPECT_EQ(s.Index(), Entries()) << event;
  }
}

TEST(Expiry, AMirrorsCellThatEndsUncoversNoneThatWasDeletedAboveIt) {
  Scenario s(MirrorValueRule(), Scenario::Source::kRead, kTenSeconds);
  s.world()->clock()->Set(6'000);
  s.Tells({s.Happens("k=a@1000"), s.Happens("k=b@5000")});
  s.Tells({s.Happens("D:k@5000")});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  EXPECT_FALSE(ShownAt(&s, 11'100));
}

TEST(Expiry, AMirrorsCellThatStandsFarAboveItsMotherEndsWithIt) {
  Scenario s(MirrorValueRule(), Scenario::Source::kRead, kTenSeconds);
  s.world()->clock()->Set(2'000);
  s.Tells({s.Happens("DC:k@60000")});
  s.world()->CompactSource();
  s.Tells({s.Happens("k=a@1000")});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  EXPECT_FALSE(ShownAt(&s, 11'100));
}

/// After a restart, the put told again is a question, and its answer lies above its source cell.
TEST(Expiry, AMirrorsEntryOfACellThatMinVersionsKeepsStays) {
  for (const auto& [options, shown] :
       {std::pair{kTenSeconds, Entries()}, std::pair{kTenSecondsAndOneVersion, Entries{{{"r", "f:k"}, "a"}}}}) {
    Scenario s(MirrorValueRule(), Scenario::Source::kRead, options);
    s.world()->clock()->Set(1'000);
    const ChangeEvent put = s.Happens("k=a@1000");
    s.Tells({put});
    s.Restarts();
    s.Tells({put});
    EXPECT_GT(s.world()->counters()->source_reads, 0);
    EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
    s.world()->clock()->Set(30'000);
    EXPECT_EQ(s.Index(), shown) << options;
  }
}

TEST(Expiry, AMirrorsEntryOfACellThatMinVersionsKeepsEndsWithTheCellsOwnTtl) {
  Scenario s(MirrorValueRule(), Scenario::Source::kRead, kTenSecondsAndOneVersion);
  s.world()->clock()->Set(1'000);
  s.Tells({WithTtl(s.Happens("k=a@1000"), 2'000)});
  ExpectEnd(&s, 2'999, 3'001);
}

TEST(Expiry, AMirrorsEntryOfACellThatMinVersionsKeepsGoesWithADelete) {
  Scenario s(MirrorValueRule(), Scenario::Source::kRead, kTenSecondsAndOneVersion);
  s.world()->clock()->Set(1'000);
  const ChangeEvent put = s.Happens("k=a@1000");
  s.Tells({put});
  s.Restarts();
  s.Tells({put});
  s.world()->clock()->Set(30'000);
  s.Tells({s.Happens("DC:k@30000")});
  EXPECT_EQ(s.Index(), Entries());
}

}  // namespace
}  // namespace fensi::testing
