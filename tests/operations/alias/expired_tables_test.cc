// Which tables of periods may be dropped, and what is left when the one who drops them dies.
#include "operations/alias/expired_tables.h"

#include <gmock/gmock.h>

#include <set>

#include "indexer/meta_row.h"
#include "mapping/environment.h"
#include "meta/versioned_meta_row.h"
#include "tests/operations/support/period_world.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using store::FaultyStore;

constexpr char kOver[] = "visits_20161101";

std::set<std::string> Noted(PeriodWorld* world) {
  return *meta::DroppedTables(indexer::MetaRow(world->index.get(), world->memory.get())).All();
}

TEST(ExpiredTables, AreThoseWhosePeriodEndedKeepAndAnHourAgo) {
  PeriodWorld world;
  for (const char* day : {"20161117", "20161118", "20161119", "20161219", "20161220", "20990101"}) {
    world.MakePeriod(std::string("visits_") + day);
  }
  EXPECT_THAT(world.Found(), ElementsAre("visits_20161117", "visits_20161118"));
  const auto set = [&](const char* time) { world.clock.Set(mapping::ParseInstant(time).value()); };
  set("2016-12-19T00:59:59.999Z");
  EXPECT_THAT(world.Found(), ElementsAre("visits_20161117")) << "the period ended keep and not quite an hour ago";
  set("2016-12-19T01:00");
  EXPECT_THAT(world.Found(), ElementsAre("visits_20161117", "visits_20161118"));
}

TEST(ExpiredTables, OfNamesThatOnlyBeginAlikeNoneIsMeant) {
  PeriodWorld world;
  for (const char* name : {"visits_", "visits_2016110", "visits_201611011", "visits_20161301", "visits_daily_20161101",
                           "visits_20161101_state", "visits_backup"}) {
    world.MakePeriod(name);
  }
  EXPECT_THAT(world.Found(), ElementsAre());
}

TEST(ExpiredTables, ATableThatFensiDidNotMakeIsLeftAlone) {
  PeriodWorld world;
  world.MakeTable({kOver, {{.name = "v"}}});
  world.MakeTable({"visits_20161102", {{.name = "other"}}});
  EXPECT_THAT(world.Found(), ElementsAre(HasSubstr("cannot tell whether the table belongs"),
                                         HasSubstr("cannot tell whether the table belongs")));
  auto tables = world.Tables(*world.index);
  EXPECT_EQ(tables.Drop(tables.Find()->front()).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(world.HasTable(kOver));
}

TEST(ExpiredTables, ATableThatAnotherIndexHasIsLeftAlone) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  const meta::IndexRecord other(
      meta::VersionedMetaRow(world.memory.get(), mapping::kDefaultMetaTable, meta::IndexRow("other")));
  ASSERT_TRUE(other.Register({.incarnation = "0123456789abcdef", .table = kOver}).ok());
  EXPECT_THAT(world.Found(), ElementsAre(HasSubstr("belongs to index other, too")));
  ASSERT_TRUE(other.NoteDropped("0123456789abcdef").ok());
  EXPECT_THAT(world.Found(), ElementsAre(kOver)) << "an index that is gone has no tables";
  ASSERT_TRUE(other.Register({.incarnation = "0123456789abcdee", .table = "t", .source = kOver}).ok());
  EXPECT_THAT(world.Found(), ElementsAre(HasSubstr("belongs to index other, too"))) << "somebody follows it";
}

TEST(ExpiredTables, ATableThatTheTemplateOfAnotherIndexNamesIsLeftAlone) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  const auto alike = PeriodIndex("alike", "visits_2016{v:other | int | from_ms | time %m%d}");
  EXPECT_THAT(world.Found(world.Tables(*world.index, {alike})),
              ElementsAre(HasSubstr("may belong to index alike, too")));
  world.Begin(*alike);
  EXPECT_THAT(world.Found(),
              ElementsAre(HasSubstr("may belong to index alike, too, whose tables are 'visits_2016{v:other")));
}

TEST(ExpiredTables, AnIndexWhoseNamesOnlyBeginAlikeIsNoObstacle) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  world.Begin(*PeriodIndex("hourly", "visits_{v:time | int | from_ms | time %Y%m%d%H}"));
  world.Begin(*PeriodIndex("bound", "vis{v:time | int | from_ms | time %Y}"));
  EXPECT_THAT(world.Found(), ElementsAre(kOver));
}

TEST(ExpiredTables, AnIndexOfWhichNobodyKnowsWhatItNamesIsAnObstacle) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  const auto newer = PeriodIndex("newer", "visits_2{v:time | int | from_ms | time %m%d}");
  world.Begin(*newer);
  const indexer::MetaRow row(newer.get(), world.memory.get(), &world.clock);
  ASSERT_TRUE(row.Set("definition", "f\nsource: s\ntable: visits_{v:time | of_a_later_version}\n").ok());
  EXPECT_THAT(world.Found(), ElementsAre(HasSubstr("may belong to index newer, too")));
}

TEST(ExpiredTables, AnIndexThatNamesNoTableIsAnObstacle) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  const meta::IndexRecord other(
      meta::VersionedMetaRow(world.memory.get(), mapping::kDefaultMetaTable, meta::IndexRow("other")));
  ASSERT_TRUE(other.Register({.incarnation = "0123456789abcdef", .table = ""}).ok());
  EXPECT_THAT(world.Found(), ElementsAre(HasSubstr("index other, whose row in fensi_meta does not name its table")));
}

TEST(ExpiredTables, NeedAnIndexThatIsBegunAndIsThisOne) {
  PeriodWorld world;
  EXPECT_TRUE(world.Tables(*world.index).RequireOwn().ok());
  const auto another = PeriodIndex("another", "another_{v:time | int | from_ms | time %Y%m%d}");
  EXPECT_THAT(world.Tables(*another).RequireOwn().message(), HasSubstr("has started the index"));
  const auto changed = PeriodIndex("visits", kDays, "    when: [ '{v:user} != me' ]\n");
  const Status status = world.Tables(*changed).RequireOwn();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("its definition changed"));
  const auto of_other_tables = PeriodIndex("visits", "v_{v:time | int | from_ms | time %Y%m%d}");
  EXPECT_THAT(world.Tables(*of_other_tables).RequireOwn().message(), HasSubstr("this name is taken by another index"));
}

TEST(ExpiredTables, OfAnIndexThatIsBeingDroppedAreLeftToThatDrop) {
  PeriodWorld world;
  const meta::IndexRecord record(
      meta::VersionedMetaRow(world.memory.get(), mapping::kDefaultMetaTable, meta::IndexRow("visits")));
  ASSERT_TRUE(record.SetPhase((**record.Read()).incarnation, meta::Phase::kRetired).ok());
  EXPECT_THAT(world.Tables(*world.index).RequireOwn().message(), HasSubstr("is being dropped"));
}

TEST(ExpiredTables, NeedTheMetaTableOfTheDaemons) {
  PeriodWorld world;
  const meta::IndexRecord record(
      meta::VersionedMetaRow(world.memory.get(), mapping::kDefaultMetaTable, meta::IndexRow("visits")));
  ASSERT_TRUE(record.NoteDropped((**record.Read()).incarnation).ok());
  EXPECT_TRUE(world.Tables(*world.index).RequireOwn().ok()) << "no daemon has run it";
  const indexer::MetaRow row(world.index.get(), world.memory.get(), &world.clock);
  ASSERT_TRUE(row.Set("partitions/" + world.index->topic(), "1").ok());
  const std::string refused = world.Tables(*world.index).RequireOwn().message();
  EXPECT_THAT(refused, HasSubstr("meta table fensi_meta has no record of the index, although a daemon has run it"));
  EXPECT_THAT(refused, HasSubstr("Otherwise the record is lost: restart every 'fensi run' of the store"));
}

TEST(ExpiredTables, BelongToPeriodsWhoseNamesAreTimes) {
  mapping::Diagnostics diagnostics;
  const auto plain = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  const Status status = ExpiredTables::RequirePeriods(*plain.front().indexes.front());
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(
      status.message(),
      HasSubstr(
          "An index has one table per period, such as a day, only with 'retention:' and a 'table:' with a time in it"));
  const auto more = PeriodIndex("more", "more_{v:time | int | from_ms | time %Y}_{v:user}");
  EXPECT_THAT(ExpiredTables::RequirePeriods(*more).message(), HasSubstr("in the HBase shell"));
}

/// Dies in each call in turn, before or after it; the next one goes on.
TEST(ExpiredTables, ADeathInAnyCallLeavesWhatTheNextOneEnds) {
  for (const auto when : {FaultyStore::When::kBefore, FaultyStore::When::kAfter}) {
    for (int call = 1;; ++call) {
      PeriodWorld world;
      for (const char* table : {kOver, "visits_20161102", "visits_20161201"}) world.MakePeriod(table);
      // An error that is not tried again.
      world.faulty->FailCall(call, when, Status(StatusCode::kCancelled, "dead"));
      const auto drop_all = [&] {
        auto tables = world.Tables(*world.index);
        const auto found = tables.Find();
        FENSI_RETURN_IF_ERROR(found.status());
        for (const ExpiredTable& table : *found) FENSI_RETURN_IF_ERROR(tables.Drop(table));
        return tables.ForgetOthers(*found);
      };
      const Status first = drop_all();
      world.faulty->Heal();
      ASSERT_TRUE(drop_all().ok());
      EXPECT_FALSE(world.HasTable(kOver));
      EXPECT_FALSE(world.HasTable("visits_20161102"));
      EXPECT_TRUE(world.HasTable("visits_20161201"));
      EXPECT_THAT(Noted(&world), IsEmpty());
      if (first.ok()) break;
      ASSERT_LT(call, 200);
    }
  }
}

TEST(ExpiredTables, ADropThatIsLeftInTheMiddleIsSeenInThePlan) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  world.faulty->FailCall(1, FaultyStore::When::kBefore, Status(StatusCode::kCancelled, "dead"),
                         FaultyStore::Call::kDropTable);
  auto tables = world.Tables(*world.index);
  EXPECT_FALSE(tables.Find()->front().begun);
  EXPECT_FALSE(tables.Drop(tables.Find()->front()).ok());
  EXPECT_TRUE(tables.Find()->front().begun);
  EXPECT_THAT(Noted(&world), ElementsAre(kOver));
}

TEST(ExpiredTables, ATableThatSomebodyElseDropsAtTheSameTimeIsGoneAllTheSame) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  world.faulty->SetObserver([&](FaultyStore::Call call, const std::string& table) {
    return call == FaultyStore::Call::kDropTable ? world.memory->DropTable(table) : Status();
  });
  auto tables = world.Tables(*world.index);
  EXPECT_TRUE(tables.Drop(tables.Find()->front()).ok());
  EXPECT_FALSE(world.HasTable(kOver));
  EXPECT_THAT(Noted(&world), IsEmpty());
}

TEST(ExpiredTables, ATableThatSomebodyElseIsStillDroppingIsWaitedFor) {
  PeriodWorld world;
  world.MakePeriod(kOver);
  const int64_t begin = world.clock.WallMillis();
  world.faulty->SetObserver([&](FaultyStore::Call call, const std::string& table) {
    if (call != FaultyStore::Call::kDropTable) return Status();
    if (world.clock.WallMillis() - begin < 30'000) return Status(StatusCode::kUnavailable, "TableNotEnabledException");
    return world.memory->DropTable(table);
  });
  auto tables = world.Tables(*world.index);
  EXPECT_TRUE(tables.Drop(tables.Find()->front()).ok());
  EXPECT_FALSE(world.HasTable(kOver));
}

TEST(ExpiredTables, WhatALongerKeepWantsAgainIsNotNotedAnyMore) {
  PeriodWorld world;
  world.MakePeriod("visits_20161201");
  ASSERT_TRUE(
      meta::DroppedTables(indexer::MetaRow(world.index.get(), world.memory.get())).Note("visits_20161201").ok());
  auto tables = world.Tables(*world.index);
  ASSERT_TRUE(tables.ForgetOthers(*tables.Find()).ok());
  EXPECT_THAT(Noted(&world), IsEmpty());
  EXPECT_TRUE(world.HasTable("visits_20161201"));
}

}  // namespace
}  // namespace fensi::operations
