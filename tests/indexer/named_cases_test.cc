// The shrunk failures of natural variants of the rules, each as the shortest history that tells the variant from the
// rule. Rows, columns and times as in docs/maintenance.md.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hbase_limits.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/told_log.h"
#include "tests/indexer/support/unique_rules.h"
#include "tests/indexer/support/zombie_store.h"

namespace fensi::testing {
namespace {

TEST(NamedCases, F1WhatADeadAttemptPutIsRemovedThoughTheRedoEndsWithoutIt) {
  Scenario s(ValueRule());
  const auto put = s.Happens("k=b@11"), gone = s.Happens("DF@12");
  s.DiesBeforeStates({put});
  s.Tells({put, gone});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F2AnEntryThatADeadAttemptRemovedIsPutAgain) {
  Scenario s(ValueRule());
  const auto put = s.Happens("k=c@13");
  s.Tells({put});
  const auto gone = s.Happens("DF@14"), again = s.Happens("k=c@16");
  s.DiesBeforeStates({gone});
  s.Tells({gone, again});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F3AnEntryRemovedAndPutAgainWithinABatchIsThere) {
  Scenario s(ValueRule());
  const auto put = s.Happens("k=c@11");
  s.Tells({put});
  const auto gone = s.Happens("DF@12"), again = s.Happens("k=c@13");
  s.Tells({gone, again});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F4ADeadOwnersBatchThatTheNextOneTellsInOtherBordersLeavesNothing) {
  Scenario s(ValueRule());
  const auto put = s.Happens("k=b@11"), gone = s.Happens("DF@12");
  s.DiesBeforeStates({put});
  s.Tells({put});
  s.Tells({gone});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F5ThreeChangesWithinOneMillisecondEndInTheLast) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=b@12")});
  s.Tells({s.Happens("k=c@12")});
  s.Tells({s.Happens("k=b@12")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F6ALatePutUnderANewerColumnComesBackAboveItsRemoval) {
  Scenario s(CompositeRule());
  s.Tells({s.Happens("k=a@11")});
  s.Tells({s.Happens("k=a@9 m=b@9")});
  s.Tells({s.Happens("DF@9")});
  s.Tells({s.Happens("k=a@10 m=b@10")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F7TheVersionIsKeptWhenTheRegistersEndAsTheyBegan) {
  Scenario s(ValueRule());
  const auto c = s.Happens("k=c@11"), b = s.Happens("k=b@11"), c2 = s.Happens("k=c@11");
  s.Tells({c});
  s.Tells({b, c2});
  s.Restarts();
  s.Tells({s.Happens("k=b@11")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F8ALateStateWriteOfADeadOwnerDoesNotWin) {
  World world(ValueRule(), false);
  ZombieStore zombie(world.store());
  const auto event = [&](const std::string& cell, uint64_t sequence) {
    ChangeEvent made{.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = sequence};
    world.ApplyToSource(made);
    return made;
  };
  const std::vector<ChangeEvent> events = {event("k=b@11", 1), event("k=c@11", 2), event("k=d@11", 3)};
  auto first = world.NewMaintainer(true, &zombie);
  zombie.KeepBackFrom(1);
  Must(first->Apply(world.MakeBatch({&events[0], 1})));
  zombie.Release(1);
  auto second = world.NewMaintainer(false, world.faulty());
  Must(second->Apply(world.MakeBatch({events.data(), 2})));
  zombie.Drain();
  EXPECT_EQ(world.Actual(), (Entries{{{"c", "f:r"}, "none"}}));
  Must(world.NewMaintainer(false)->Apply(world.MakeBatch({&events[2], 1})));
  EXPECT_EQ(world.Difference(), "");
}

TEST(NamedCases, F8bALateEntryOfADeadOwnerStaysHiddenWhenTheIndexWasCompacted) {
  World world(ValueRule(), false);
  ZombieStore zombie(world.store());
  std::vector<ChangeEvent> events;
  for (const char* cell : {"k=b@11", "DF@12"}) {
    events.push_back({.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = events.size() + 1});
    world.ApplyToSource(events.back());
  }
  zombie.KeepBackFrom(1);
  Must(world.NewMaintainer(true, &zombie)->Apply(world.MakeBatch({events.data(), 1})));
  Must(world.NewMaintainer(false)->Apply(world.MakeBatch(events)));
  world.CompactIndex(false);
  zombie.Drain();
  EXPECT_EQ(world.Difference(), "");
}

TEST(NamedCases, F9APutBelowAFamilyMarkerThatCameBeforeItIsNotShown) {
  Scenario s(QualifierRule());
  const auto put = s.Happens("k=b@10"), gone = s.Happens("DF@11");
  s.Tells({gone});
  s.Tells({put});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F10APutThatComesAfterItsMarkerWasPurgedFromTheIndexIsNotShown) {
  Scenario s(QualifierRule());
  const auto put = s.Happens("k=b@5"), gone = s.Happens("DC:k@10");
  s.Tells({gone});
  s.world()->CompactIndex(true);
  s.Restarts();
  s.Tells({put});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F11AtEqualTimesTheHigherSequenceWinsWhateverComesFirst) {
  Scenario s(ValueRule());
  const auto b = s.Happens("k=b@11"), c = s.Happens("k=c@11");
  s.Tells({c});
  s.Tells({b});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F12AVersionDeleteUncoversTheOlderValue) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(ValueRule(), source);
    s.Tells({s.Happens("k=c@11")});
    s.Tells({s.Happens("k=b@12")});
    s.Tells({s.Happens("D:k@12")});
    EXPECT_EQ(s.Difference(), "");
    EXPECT_EQ(s.Index().size(), 1u);
  }
}

TEST(NamedCases, F13WhatADeadAttemptReadFromTheSourceIsRemovedWhenItIsGone) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=c@11"), s.Happens("k=b@12")});
  const auto uncover = s.Happens("D:k@12");
  s.DiesBeforeStates({uncover});
  s.Happens("D:k@11");
  s.Tells({uncover});
  EXPECT_EQ(s.Difference(), "");
}

/// With all versions, and what is deleted.
std::vector<store::Row> StateRows(Scenario* s) {
  const auto rows = s->world()->store()->Scan(s->world()->index().state_table(), {.max_versions = 99, .raw = true});
  Must(rows.status());
  return *rows;
}

/// What is there of a family, of qualifiers that begin so.
std::ptrdiff_t StateCells(Scenario* s, std::string_view family, std::string_view prefix) {
  const auto rows = s->world()->store()->Scan(s->world()->index().state_table(), {});
  Must(rows.status());
  std::ptrdiff_t cells = 0;
  for (const store::Row& row : *rows) {
    cells += std::count_if(row.cells.begin(), row.cells.end(), [&](const Cell& cell) {
      return cell.family == family && cell.qualifier.starts_with(prefix);
    });
  }
  return cells;
}

TEST(NamedCases, IntentsOfDeadAttemptsGoWithTheStateThatSettlesThem) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=c@11"), s.Happens("k=b@12")});
  const auto intents = [&] { return StateCells(&s, "d", "i"); };
  const auto uncover = s.Happens("D:k@12");
  s.DiesBeforeStates({uncover});
  s.DiesBeforeStates({uncover});
  EXPECT_EQ(intents(), 2);
  EXPECT_EQ(StateCells(&s, "m", "r"), 1) << "the note that they are there";
  s.Tells({uncover});
  EXPECT_EQ(intents(), 0);
  EXPECT_EQ(StateCells(&s, "m", "r"), 0);
}

TEST(NamedCases, F14EntriesOfPlainStepsAreCandidatesInDoubtToo) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  const auto c = s.Happens("k=c@11"), b = s.Happens("k=b@12"), uncover = s.Happens("D:k@12");
  s.DiesBeforeStates({c, b});
  s.DiesBeforeStates({c, b, uncover});
  s.Tells({c});
  s.Tells({b, uncover});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F15ALatePutAfterTheSourceWasCompactedIsShown) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("DF@11")});
  s.world()->CompactSource();
  s.Tells({s.Happens("k=b@10")});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_EQ(s.Index().size(), 1u);
}

TEST(NamedCases, F16APutBelowAVersionDeleteIsShown) {
  Scenario s(QualifierRule());
  s.Tells({s.Happens("k=b@12")});
  s.Tells({s.Happens("D:k@12")});
  s.Tells({s.Happens("k=b@11")});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_EQ(s.Index().size(), 1u);
}

TEST(NamedCases, F17WhatASourceReadPutInTheIndexGoesWithTheFamily) {
  Scenario s(QualifierRule(), Scenario::Source::kRead);
  const auto b = s.Happens("k=b@11"), del = s.Happens("D:k@11"), ahead = s.Happens("k=c@13"), gone = s.Happens("DF@14");
  s.world()->CompactIndex(true);
  s.Tells({b});
  s.Tells({del});
  s.Tells({gone});
  s.Tells({ahead});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F18ASnapshotEventInTheSamePartitionDoesNotHideWhatADeadAttemptPut) {
  Scenario s(ValueRule());
  const auto live = s.Happens("k=b@11"), newer = s.Happens("k=c@12");
  s.DiesBeforeStates({live});
  ChangeEvent snapshot = newer;
  snapshot.sequence_id = 0;
  s.Tells({live, snapshot});
  s.Tells({newer});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F19ARestartAtACommitReadsStatesAgain) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=b@11")});
  s.Restarts();
  s.Tells({s.Happens("DF@12")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F20RemovalTakesEveryVersionThatWasPut) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=b@11")});
  s.Tells({s.Happens("v=x@12")});
  s.Tells({s.Happens("DC:k@13")});
  EXPECT_EQ(s.Difference(), "");
  Result<std::vector<store::Row>> raw = s.world()->store()->Scan("inverse", {.max_versions = 9, .raw = true});
  ASSERT_TRUE(raw.ok());
  for (const Cell& cell : raw->front().cells) EXPECT_NE(cell.type, CellType::kDelete);
}

TEST(NamedCases, F21PutsComeBeforeRemovalsAndStatesLast) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=b@11")});
  std::vector<std::string> calls;
  s.world()->faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    if (call == store::FaultyStore::Call::kPut) calls.push_back("put " + table);
    if (call == store::FaultyStore::Call::kDelete) calls.push_back("delete " + table);
    return Status();
  });
  s.Tells({s.Happens("k=c@12")});
  EXPECT_EQ(calls, (std::vector<std::string>{"put inverse", "delete inverse", "put inverse_state"}));
}

TEST(NamedCases, F22APutWithoutSequenceNeverReplacesOneOfEqualTime) {
  Scenario s(ValueRule());
  const auto b = s.Happens("k=b@11"), c = s.Happens("k=c@11");
  ChangeEvent snapshot = b;
  snapshot.sequence_id = 0;
  s.Tells({b, c});
  s.Tells({snapshot});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F23WhatAFamilysMarkerUncoversIsPutAboveWhatItHides) {
  World world(QualifierRule(), false);
  ZombieStore zombie(world.store());
  std::vector<ChangeEvent> events;
  for (const char* cell : {"k=a@2", "k=a@4", "DFV@4"}) {
    events.push_back({.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = events.size() + 1});
    world.ApplyToSource(events.back());
  }
  Must(world.NewMaintainer(true)->Apply(world.MakeBatch({events.data(), 1})));
  zombie.KeepBackFrom(1);
  Must(world.NewMaintainer(false, &zombie)->Apply(world.MakeBatch({&events[1], 2})));
  zombie.Release(1);
  // Its writes come late: the entry before the next owner reads, the state before the next owner writes.
  Must(world.NewMaintainer(false, &zombie)->Apply(world.MakeBatch({&events[1], 1})));
  Must(world.NewMaintainer(false)->Apply(world.MakeBatch({&events[2], 1})));
  EXPECT_EQ(world.Difference(), "");
}

TEST(NamedCases, ASharedCellStaysWhileAnotherSourceRowGivesIt) {
  Scenario s(SharedRule());
  s.Tells({s.Happens("k=a@11", "r1"), s.Happens("k=a@12", "r2")});
  s.world()->CompactIndex(true);
  s.Tells({s.Happens("DC:k@13", "r2")});
  EXPECT_EQ(s.Index(), (Entries{{{"a", "f:"}, "a"}}));
  s.Tells({s.Happens("DC:k@14", "r1")});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(NamedCases, ASharedCellThatADeadAttemptPutGoesThoughForgottenPutsAreToldAgain) {
  Scenario s(SharedRule());
  const auto put = s.Happens("k=a@5"), gone = s.Happens("DF@6"), next = s.Happens("k=b@7");
  s.Tells({put});
  s.Tells({gone});
  s.DiesBeforeStates({next});
  s.Tells({put, gone, next});
  s.Tells({s.Happens("DC:k@9")});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(NamedCases, ASharedCellIsFollowedThroughVersionDeletesWithoutReadingTheSource) {
  Scenario s(SharedRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=c@11")});
  s.Tells({s.Happens("k=b@12")});
  s.Tells({s.Happens("D:k@12")});
  EXPECT_EQ(s.Index(), (Entries{{{"c", "f:"}, "c"}}));
  s.Tells({s.Happens("DC:k@13")});
  EXPECT_EQ(s.Index(), Entries());
  EXPECT_EQ(s.world()->counters()->source_reads, 0);
}

TEST(NamedCases, F38ALateIntentOfAPausedOwnerReplacesNoFinishedDoubt) {
  World world(ValueRule(), true);
  ZombieStore zombie(world.store());
  ToldLog log(&world);
  for (const char* cell : {"k=a@10", "k=b@12"}) log.Happens(cell);
  Must(world.NewMaintainer(true)->Apply(log.From(0)));
  for (const char* cell : {"D:k@12", "D:k@10"}) log.Happens(cell);
  zombie.KeepBackOnly(1);
  const consumer::Batch doubt = log.Part(2, 1);
  EXPECT_EQ(world.NewMaintainer(false, &zombie)->Apply(doubt).code(), StatusCode::kFenced);
  log.Happens("k=a@9");
  Must(world.NewMaintainer(false)->Apply(doubt));
  zombie.Drain();
  log.Happens("k=e@15");
  Must(world.NewMaintainer(false)->Apply(log.From(3)));
  EXPECT_EQ(world.Difference(), "");
}

TEST(NamedCases, F41AChangeThatTheSourceShowsLateIsSeenAtTheSecondLook) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("v=x@9")});
  s.world()->ShowSourceLate(1);
  const auto put = s.Happens("k=b@11"), gone = s.Happens("D:k@11");
  s.Tells({put, gone});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_TRUE(s.Index().empty());
}

TEST(NamedCases, F42VersionsFollowFromTheLogAndNotFromWhatWasReadOrWhereBatchesEnd) {
  World world(ValueRule(), true);
  ZombieStore zombie(world.store());
  std::vector<ChangeEvent> events;
  for (const char* cell : {"DF@15", "k=b@15", "DC:v@15", "DC:v@15", "DC:v@15", "k=c@16", "DC:k@16"}) {
    events.push_back({.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = events.size() + 1});
  }
  events[1].sequence_id = 0;  // as a scan tells it: it may have come before the marker
  const auto tells = [&](indexer::IndexMaintainer* owner, size_t from, size_t count) {
    Must(owner->Apply(world.MakeBatch(std::span(events).subspan(from, count))));
  };
  for (size_t i = 0; i < 5; ++i) world.ApplyToSource(events[i]);
  tells(world.NewMaintainer(true).get(), 0, 1);
  zombie.KeepBackFrom(1);
  tells(world.NewMaintainer(false, &zombie).get(), 1, 4);
  auto next = world.NewMaintainer(false);
  for (size_t i = 1; i < 5; ++i) tells(next.get(), i, 1);
  world.ApplyToSource(events[5]);
  tells(next.get(), 5, 1);
  zombie.Drain();
  world.ApplyToSource(events[6]);
  tells(world.NewMaintainer(false).get(), 6, 1);
  EXPECT_EQ(world.Difference(), "");
}

TEST(NamedCases, F43WhatAnOwnerForgotWithoutStoringItRaisesNoVersions) {
  Scenario s(FanOutRule());
  const auto put = s.Happens("k=b@5"), gone = s.Happens("DF@6");
  s.Tells({put});
  s.Tells({gone});
  const auto next = s.Happens("k=c@7");
  s.DiesBeforeStates({put, put, next});
  s.Tells({put, put, next});
  s.Tells({s.Happens("k=d@9")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(NamedCases, F44ASecondLookHasAVersionOfItsOwnThoughALaterPieceToldOfTheRow) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=a@10")});
  s.Tells({s.Happens("DF@15")});
  s.world()->CompactSource();
  s.Restarts();
  s.world()->ShowSourceLate(1'000);
  std::vector<ChangeEvent> batch = {s.Happens("k=b@12")};
  // More rows than the first piece of a batch reads.
  for (int i = 0; i < 70; ++i) batch.push_back(s.Happens("v=x@12", "other" + std::to_string(i)));
  batch.push_back(s.Happens("v=x@20"));
  s.Tells(batch);
  EXPECT_EQ(s.Difference(), "");
  std::vector<int64_t> versions;
  for (const store::Row& row : StateRows(&s)) {
    for (const Cell& cell : row.cells) {
      if (cell.family == "s" && cell.qualifier == "r") versions.push_back(cell.timestamp);
    }
  }
  EXPECT_EQ(versions, (std::vector<int64_t>{21, 20, 16, 15, 10}));
}

size_t StateWrites(Scenario* s) {
  size_t cells = 0;
  for (const store::Row& row : StateRows(s)) cells += row.cells.size();
  return cells;
}

TEST(NamedCases, F50TheDeleteOfAPutAtTheNewestTimestampFindsAVersion) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(ValueRule(), source);
    const std::string newest = "@" + std::to_string(kMaxSourceTime), above = "@" + std::to_string(INT64_MAX - 1);
    s.Tells({s.Happens("k=a" + newest)});
    for (int i = 0; i < 5; ++i) s.Tells({s.Happens("D:k@1")});
    s.Tells({s.Happens("DC:k" + newest)});
    EXPECT_TRUE(s.Index().empty());
    EXPECT_EQ(s.Difference(), "");
    s.Tells({s.Happens("k=b@5", "other")});
    s.Tells({s.Happens("k=c" + above, "other")});
    EXPECT_TRUE(s.Index().empty()) << "the source shows the put that is refused, and not what lies below it";
    EXPECT_EQ(s.world()->letters()->letters().size(), 1u);
    s.Tells({s.Happens("D:k" + above, "other")});
    EXPECT_EQ(s.Index().size(), source == Scenario::Source::kRead ? 1u : 0u) << "the source tells what it uncovers";
    s.Tells({s.Happens("k=d" + above, "other")});
    EXPECT_EQ(s.Index().size(), source == Scenario::Source::kRead ? 1u : 0u) << "its version is deleted already";
  }
}

TEST(NamedCases, F45WhatAFamilyDeleteTookAwayRaisesNoVersionWhenItIsToldAgain) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    for (const char* hidden : {"k=a@4 v=x@1", "k=a@4 DC:v@1", "k=a@4 D:v@1", "k=a@4 DFV@1"}) {
      Scenario s(ValueRule(), source);
      const auto first = s.Happens(hidden), gone = s.Happens("DF@1"), next = s.Happens("v=y@2");
      for (const auto& event : {first, gone, next}) s.Tells({event});
      s.Restarts();
      const size_t before = StateWrites(&s);
      s.Tells({gone});
      s.Tells({first});
      const bool in_doubt = source == Scenario::Source::kRead && StateWrites(&s) > before;
      EXPECT_TRUE(in_doubt || StateWrites(&s) == before) << hidden;
      EXPECT_EQ(s.Difference(), "");
    }
  }
}

/// A stream without sequence ids tells of one millisecond in any order.
TEST(NamedCases, OfTwoPutsOfOneTimeToldTheWrongWayRoundTheSourceSaysWhichStays) {
  for (const Rule& rule : {ValueRule(), FanOutRule()}) {
    Scenario s(rule, Scenario::Source::kRead);
    ChangeEvent older = s.Happens("k=a@5"), newer = s.Happens("k=b@5");
    older.sequence_id = newer.sequence_id = 0;
    s.Tells({newer});
    s.Tells({older});
    EXPECT_EQ(s.Difference(), "") << rule.name;
    s.Tells({s.Happens("DF@9")});
    EXPECT_EQ(s.Difference(), "") << rule.name;
  }
}

/// M8: of a state that cannot be decoded the version is known, and nothing else.
TEST(NamedCases, AStateThatCannotBeDecodedIsAskedFromTheSource) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=b@11 v=x@11")});
  s.Restarts();
  const auto rows = s.world()->store()->Scan(s.world()->index().state_table(), {.columns = {{"s", {}}}});
  ASSERT_EQ(rows->size(), 1U);
  store::RowMutation damage{rows->front().row, {rows->front().cells.front()}};
  damage.cells.front().value = "\xff";
  Must(s.world()->store()->Put(s.world()->index().state_table(), {&damage, 1}).status());
  s.Tells({s.Happens("v=y@12")});  // tells nothing of k
  EXPECT_EQ(s.Difference(), "");
  s.Tells({s.Happens("k=c@13")});
  EXPECT_EQ(s.Difference(), "");
}

constexpr char kUniqueOfTwo[] =
    "    row: '{f:k}'\n    columns: { 'f:r': '{row}', 'f:{f:v}': '{row}' }\n    unique: true\n";
constexpr char kTtl[] = "    create: { families: { f: { ttl: 20s } } }\n";

TEST(NamedCases, TheSameValueAgainLetsItsEntryLiveOn) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(ListRule(), source, kTtl);
    s.Tells({s.Happens("k=a,b@1000")});
    s.Tells({s.Happens("k=a,b@13000")});
    s.world()->clock()->Set(22'000);
    EXPECT_EQ(s.Difference(), "");
  }
}

/// Of row r; the source shows everything before the stream tells it.
std::vector<ChangeEvent> Backlog(Scenario* s, const std::vector<std::string>& cells, bool numbered) {
  std::vector<ChangeEvent> events;
  for (const std::string& cell : cells) {
    const size_t space = cell.find(' ');
    events.push_back(s->Happens(cell.substr(0, space), space == std::string::npos ? "r" : cell.substr(space + 1)));
    if (!numbered) events.back().sequence_id = 0;
  }
  return events;
}

/// Row r has put "a" for the last time long before row q has it.
TEST(NamedCases, F46ARowInDoubtLeavesTheKeyThatItLostToTheRowThatHasItNow) {
  for (const bool numbered : {false, true}) {
    Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
    const auto told = Backlog(&s, {"DC:k@200", "k=x@100", "k=a@300", "k=l@3000", "k=a@3600 q", "k=m@4000"}, numbered);
    s.Tells({told[0], told[1], told[2]});
    s.Tells({told[0], told[1], told[2]});
    s.Tells({told[3], told[4], told[5]});
    EXPECT_EQ(s.Difference(), "") << numbered;
    for (const auto& event : told) s.Tells({event});
    EXPECT_EQ(s.Difference(), "") << numbered;
  }
}

/// The step that leaves the doubt takes the key away; the look comes behind a later change.
TEST(NamedCases, F46bAKeyThatARowLostInDoubtIsRemovedAsFarAsTheRowPutIt) {
  Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=a@300")});
  s.Tells(Backlog(&s, {"D:k@300", "k=a@3600 q", "k=m@4000"}, true));
  EXPECT_EQ(s.Difference(), "");
}

/// What the dead attempt saw of the source, it would have put above everything that it was told; not what it saw last.
TEST(NamedCases, F47AnIntentThatNamesOtherKeysReachesNoKeyThatWentToAnotherRow) {
  Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
  const auto told =
      Backlog(&s, {"DC:k@200", "k=x@100", "k=a@300", "k=l@3000", "k=a@3600 q", "k=m@4000", "k=l@4500 p"}, false);
  s.Tells({told[0], told[1], told[2]});
  s.Tells({told[4]});
  s.DiesBeforeStates({told[3], told[5]});
  s.Tells({told[3], told[5]});
  s.Tells({told[6]});
  EXPECT_EQ(s.Difference(), "");
}

/// Without a doubt an attempt writes under no intent. It died, the next one died with an intent, and the one behind it,
/// whose batches are smaller, finds the intent before it comes to what the first one put.
TEST(NamedCases, F48WhatADeadAttemptPutBeforeTheDoubtIsRemovedBehindAnIntentToo) {
  Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
  const auto told = Backlog(&s, {"DC:k@5", "k=a@10", "k=x@4", "k=b@20"}, false);
  s.DiesBeforeStates({told[0], told[1]});
  s.world()->faulty()->SetObserver([](store::FaultyStore::Call call, const std::string& table) {
    const bool dies = call == store::FaultyStore::Call::kPut && table == "inverse";
    return dies ? store::FaultyStore::Lost() : Status();
  });
  EXPECT_FALSE(s.world()->NewMaintainer(false)->Apply(s.world()->MakeBatch(told)).ok());
  s.Restarts();
  for (const ChangeEvent& event : told) s.Tells({event});
  EXPECT_EQ(s.Difference(), "");
}

/// A dead attempt knew more of the backlog than the one after it, so the look that follows stands above row q's put.
/// What the registers show then was not put by that look.
TEST(NamedCases, F52ALookThatReadSomethingElseRaisesNoKeyThatTheRowHadBefore) {
  Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
  const auto told =
      Backlog(&s, {"DC:k@200", "k=x@100", "k=a@300", "k=b@1600", "k=c@1700", "k=b@2100 q", "k=m@2400"}, false);
  s.Tells({told[0], told[1], told[2]});
  s.DiesBeforeStates({told[3], told[4], told[6]});
  s.Tells({told[3]});
  s.Tells({told[5]});
  s.Tells({told[4], told[6]});
  EXPECT_EQ(s.Difference(), "");
}

/// Row r lost the key by a version delete, and a later version delete found nothing. What the registers show since was
/// put below the first one, and row q has the key.
TEST(NamedCases, F53AKeyThatAVersionDeleteTookReachesNoFurtherThanItWasPut) {
  Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
  for (const ChangeEvent& event :
       Backlog(&s, {"k=b@4000", "D:k@4000", "k=b@13000 q", "D:k@14000", "k=c@20000"}, false)) {
    s.Tells({event});
  }
  EXPECT_EQ(s.Difference(), "");
}

/// A dead attempt knew all of the backlog, so the read that settles row r stands above row q's put. What row r had
/// below that is told afterwards.
TEST(NamedCases, F54AKeyThatAnEarlierEventGaveIsNotPutAboveTheRowThatHasItNow) {
  Scenario s(UniqueKeyRule(), Scenario::Source::kRead);
  const auto told = Backlog(&s, {"k=b@500", "DC:k@1000", "k=c@2000", "D:k@2000", "k=c@5000 q", "DC:k@9000"}, false);
  s.Tells({told[0]});
  s.DiesBeforeStates({told[1], told[2], told[3], told[5]});
  s.Tells({told[1]});
  s.Tells({told[4]});
  for (const size_t i : {2, 3, 5}) s.Tells({told[i]});
  EXPECT_EQ(s.Difference(), "");
}

/// The read that settled row r put its entry above all that the row was told. A repetition comes before the next read.
TEST(NamedCases, F55ARepetitionLowersNoKeyThatAReadPutAheadOfTheLog) {
  Scenario s(Rule{"unique of two", kUniqueOfTwo, {}}, Scenario::Source::kRead);
  const auto told = Backlog(&s, {"DC:k@200", "k=x@100", "v=y@900", "k=b@1000", "v=y@9000"}, false);
  s.DiesBeforeStates(told);
  s.Tells({told[0], told[1], told[2], told[3]});
  s.Tells({told[4]});
  EXPECT_EQ(s.Index().size(), 2u);
  s.Tells({told[3], s.Happens("D:k@1000")});
  EXPECT_EQ(s.Index().size(), 0u);
}

/// Of two puts of one time the registers may show the one that the source does not, long after row q has its key.
TEST(NamedCases, F56WhatRegistersShowSinceADoubtReachesNoFurtherWithEachStep) {
  Scenario s(Rule{"unique of two", kUniqueOfTwo, {}}, Scenario::Source::kRead);
  ChangeEvent older = s.Happens("k=a@1000 v=y@1000"), newer = s.Happens("k=b@1000");
  older.sequence_id = newer.sequence_id = 0;
  const ChangeEvent of_q = s.Happens("k=a@4000 v=y@4000", "q"), later = s.Happens("v=z@5000");
  s.Tells({of_q});
  s.Tells({newer, older, later});
  EXPECT_EQ(s.Index().size(), 4u) << "two of q, two of r";
}

/// Row r lost the key and has it again; the stream tells that it came back before it tells that it went.
TEST(NamedCases, F49AKeyThatARowHasAgainStandsAboveTheRowThatHadItMeanwhile) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(UniqueKeyRule(), source);
    const auto told = Backlog(&s, {"k=a@1000", "k=b@3000", "k=a@4000 q", "DC:k@8000 q", "k=a@10000"}, true);
    for (const size_t i : {0, 4, 1, 2, 3}) s.Tells({told[i]});
    EXPECT_EQ(s.Difference(), "");
  }
}

/// An attempt may have begun with states in which a repetition leaves a doubt that its own change did not leave.
TEST(NamedCases, F51WhatADeadAttemptPutWithALaterStateIsRemovedThoughRepetitionsLeaveADoubt) {
  Scenario s(Rule{"unique of two", kUniqueOfTwo, {}}, Scenario::Source::kRead);
  const auto told = Backlog(&s, {"v=b@10", "DF@10", "k=c@1000", "v=a@1001", "v=c@1002"}, false);
  s.Tells({told[0], told[1]});
  s.DiesBeforeStates({told[2], told[3]});
  s.Tells(told);
  EXPECT_EQ(s.Index().size(), 2u);
}

/// Its key ended with a cell of row r. Row q took it, and then row r changes.
TEST(NamedCases, AKeyThatEndedIsLeftToTheRowThatHasItNow) {
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    for (const char* exact : {"", "    expire: exact\n"}) {
      Scenario s(Rule{"unique of two", kUniqueOfTwo, {}}, source, std::string(kTtl) + exact);
      s.Tells({s.Happens("k=a@1000")});
      s.world()->clock()->Set(22'000);
      s.Tells({s.Happens("k=a@22000 v=x@22000", "q")});
      s.world()->clock()->Set(23'000);
      s.Tells({s.Happens("v=y@23000")});
      EXPECT_EQ(s.Index().size(), 2u) << exact;
      s.world()->clock()->Set(24'000);
      s.Tells({s.Happens("k=b@24000")});
      EXPECT_EQ(s.Index().size(), 4u) << exact;
    }
  }
}

/// As above, where `each:` binds the cell that ended, and where the last event is ahead of the daemon's clock.
TEST(NamedCases, F57AKeyThatEndedIsLeftToTheRowThatHasItWhateverChangesThen) {
  constexpr char kEach[] =
      "    each: [f:k*]\n    row: '{value}'\n    columns: { 'f:{qualifier}': '{row}-{f:v}' }\n    unique: true\n";
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    for (const char* rule : {kEach, kUniqueOfTwo}) {
      for (const char* last : {"v=x@25000", "v=y@25000", "D:v@25000"}) {
        for (const int64_t clock : {22'000, 24'999, 25'000}) {
          Scenario s(Rule{"unique with an end", rule, {}}, source, kTtl);
          s.Tells({s.Happens("k=a@1000 v=x@1000")});
          s.world()->clock()->Set(24'000);
          s.Tells({s.Happens("k=a@24000 v=x@24000", "q")});
          const size_t of_q = s.Index().size();
          s.world()->clock()->Set(clock);
          s.Tells({s.Happens(last)});
          EXPECT_EQ(s.Index().size(), of_q) << rule << last << " at " << clock;
        }
      }
    }
  }
}

/// Its version is that of a delete, so that it would outlive the cell by a whole TTL.
TEST(NamedCases, APutThatHasEndedWhenItIsToldHasNoEntryAboveItsEnd) {
  Scenario s(Rule{"default", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n", {}},
             Scenario::Source::kRead, kTtl);
  s.world()->clock()->Set(29'000);
  s.Tells({s.Happens("DC:v@29000")});
  s.world()->clock()->Set(30'000);
  s.Tells({s.Happens("k=c@2000")});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(NamedCases, WhatADeadAttemptMadeOfACellThatHasEndedSinceIsRemoved) {
  const Rule rule{"of two", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v}' }\n", {}};
  for (const auto source : {Scenario::Source::kKept, Scenario::Source::kRead}) {
    Scenario s(rule, source, kTtl);
    s.Tells({s.Happens("k=a@1000")});
    s.world()->clock()->Set(20'900);
    const auto more = s.Happens("v=x@20900");
    s.DiesBeforeStates({more});
    EXPECT_EQ(s.Index().size(), 1u);
    s.world()->clock()->Set(22'000);
    s.Tells({more});
    EXPECT_EQ(s.Index(), Entries());
  }
}

}  // namespace
}  // namespace fensi::testing
