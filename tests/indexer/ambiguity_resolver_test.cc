// M8 step by step: what a look at the source leaves, what the second one finds, and which intents stay.
#include "indexer/ambiguity_resolver.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "indexer/state/state_writes.h"
#include "indexer/stateful_maintainer.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/told_log.h"
#include "tests/indexer/support/zombie_store.h"

namespace fensi::testing {
namespace {

using store::FaultyStore;

class DoubtsTest : public ::testing::Test {
 protected:
  static int64_t SourceReads(Scenario* s) { return s->world()->counters()->source_reads; }

  /// So many rows without a key that they are more than one piece of a batch reads.
  static void AddOtherRows(Scenario* s, std::vector<ChangeEvent>* batch) {
    for (int i = 0; i < 70; ++i) batch->push_back(s->Happens("m=x@12", "other" + std::to_string(i)));
  }

  /// A put at or below a marker that the source has forgotten.
  static void BeginWithAForgottenMarker(Scenario* s) {
    s->Tells({s->Happens("DF@15")});
    s->world()->CompactSource();
    s->Tells({s->Happens("k=a@20")});
    s->Restarts();
  }

  static std::ptrdiff_t Intents(Scenario* s) {
    const auto rows = s->world()->store()->Scan(s->world()->index().state_table(), {});
    Must(rows.status());
    std::ptrdiff_t intents = 0;
    for (const store::Row& row : *rows) {
      intents += std::count_if(row.cells.begin(), row.cells.end(),
                               [](const Cell& cell) { return cell.family == "d" && cell.qualifier.starts_with('i'); });
    }
    return intents;
  }

  /// Two events of which the second uncovers c. An attempt died after it had put that.
  static ChangeEvent UncoverAndDie(Scenario* s) {
    s->Tells({s->Happens("k=c@11"), s->Happens("k=b@12")});
    const ChangeEvent uncover = s->Happens("D:k@12");
    s->DiesBeforeStates({uncover});
    return uncover;
  }
};

TEST_F(DoubtsTest, ARowThatTwoPiecesTellOfIsLookedAtAgainOnce) {
  Scenario s(TwoPartRule(), Scenario::Source::kRead);
  BeginWithAForgottenMarker(&s);
  const int64_t before = SourceReads(&s);
  std::vector<ChangeEvent> batch = {s.Happens("m=b@12")};
  AddOtherRows(&s, &batch);
  batch.push_back(s.Happens("m=c@13"));
  s.Tells(batch);
  EXPECT_EQ(SourceReads(&s) - before, 2 + 1);
  EXPECT_EQ(s.Difference(), "");
}

TEST_F(DoubtsTest, WhatTheFirstLookLeftGoesWhenTheSecondSeesMore) {
  Scenario s(TwoPartRule(), Scenario::Source::kRead);
  BeginWithAForgottenMarker(&s);
  s.world()->ShowSourceLate(1);
  s.Tells({s.Happens("m=b@12")});
  EXPECT_EQ(s.Index(), (Entries{{{"a-b", "f:r"}, ""}}));
}

TEST_F(DoubtsTest, AnOldEventDoesNotTakeTheSecondLookOfAYoungOneAway) {
  World world(TwoPartRule(), true);
  ToldLog log(&world);
  log.Happens("DF@15");
  world.CompactSource();
  log.Happens("k=a@20");
  Must(world.NewMaintainer(true)->Apply(log.From(0)));
  const auto owner = world.NewMaintainer(false);
  world.ShowSourceLate(1'000);
  log.Happens("m=b@12");
  for (int i = 0; i < 70; ++i) log.Happens("m=x@12", "other" + std::to_string(i));
  log.Happens("m=c@13");
  consumer::Batch batch = log.From(2);
  for (size_t i = 1; i < batch.records.size(); ++i) batch.records[i].old = true;
  Must(owner->Apply(batch));
  ASSERT_TRUE(owner->second_look());
  Must(world.RereadSource(owner.get(), batch));
  EXPECT_EQ(world.Difference(), "");
}

TEST_F(DoubtsTest, ABatchForgetsTheSecondLookOfTheOneBefore) {
  World world(TwoPartRule(), true);
  const ChangeEvent uncertain{.table = "source", .row = "r", .cells = {ParseCell("?:k@5")}, .sequence_id = 1};
  const ChangeEvent plain{.table = "source", .row = "q", .cells = {ParseCell("k=b@5")}, .sequence_id = 2};
  const auto owner = world.NewMaintainer(true);
  Must(owner->Apply(world.MakeBatch({&uncertain, 1})));
  ASSERT_TRUE(owner->second_look());
  Must(owner->Apply(world.MakeBatch({&plain, 1})));
  EXPECT_FALSE(owner->second_look());
}

TEST_F(DoubtsTest, AnIntentStaysUntilTheEventsOfItsRowAreAppliedThoughOthersAreWrittenBefore) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  const ChangeEvent uncover = UncoverAndDie(&s);
  s.Happens("D:k@11");
  s.world()->set_tight(true);
  s.Restarts();
  // Its changes fill a piece of the batch: they are written before those of r are planned.
  const ChangeEvent first = s.Happens("k=" + std::string(500, 'q') + "@5", "q");
  s.world()->faulty()->FailCall(3, FaultyStore::When::kBefore, FaultyStore::Lost(), FaultyStore::Call::kPut);
  EXPECT_THROW(s.Tells({first, uncover}), std::runtime_error);
  EXPECT_EQ(Intents(&s), 1);
  s.Restarts();
  s.Tells({first, uncover});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_EQ(Intents(&s), 0);
}

TEST_F(DoubtsTest, IntentsThatWereReadForAPieceThatDidNotComeToThemGoLater) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  const ChangeEvent uncover = UncoverAndDie(&s);
  ASSERT_EQ(Intents(&s), 1);
  // A row in doubt that fills what a piece may hold of the source.
  const ChangeEvent first = s.Happens("k=" + std::string(500, 'q') + "@5 ?:k@4", "q");
  s.world()->set_tight(true);
  const ChangeEvent events[] = {first, uncover};
  consumer::Batch batch = s.world()->MakeBatch(events);
  for (consumer::Record& record : batch.records) record.old = true;
  const auto owner = s.world()->NewMaintainer(false);
  Must(owner->Apply(batch));
  ASSERT_FALSE(owner->second_look()) << "it would read the intents once more";
  EXPECT_EQ(s.Difference(), "");
  EXPECT_EQ(Intents(&s), 0);
}

/// Rows that were in doubt, and are not any more.
void ComeInDoubt(World* world, indexer::IndexMaintainer* owner, ToldLog* log) {
  for (const char* row : {"q", "r"}) {
    for (const char* cell : {"k=a@10", "k=c@11", "D:k@11", "k=c@12"}) {
      log->Happens(cell, row);
      Must(owner->Apply(log->Part(log->size() - 1, 1)));
      Must(world->RereadSource(owner, log->Part(log->size() - 1, 1)));
    }
  }
}

TEST_F(DoubtsTest, WhatWasPlannedBeforeARowIsLookedAtStandsUnderAnIntent) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  World* world = s.world();
  ToldLog log(world);
  // What it sees of one row is all that it may hold of the source.
  const indexer::MaintainerOptions context{.index = &world->index(),
                                           .store = world->faulty(),
                                           .dead_letters = world->letters(),
                                           .counters = world->counters(),
                                           .read_source = true,
                                           .read_bytes = 1,
                                           .clock = world->clock()};
  indexer::StatefulMaintainer owner(context, world->MakeBatch({}).assignment, true);
  ComeInDoubt(world, &owner, &log);
  ASSERT_EQ(Intents(&s), 0);
  const size_t from = log.size();
  log.Happens("D:k@12", "q");
  for (const char* cell : {"k=x@20", "D:k@20"}) log.Happens(cell, "r");
  world->faulty()->FailCall(3, FaultyStore::When::kAfter, FaultyStore::Lost(), FaultyStore::Call::kPut);
  ASSERT_FALSE(owner.Apply(log.From(from)).ok());
  world->faulty()->Heal();
  EXPECT_EQ(s.Index().count({"x", "f:r"}), 1u);
  EXPECT_EQ(Intents(&s), 2);
}

TEST_F(DoubtsTest, AColumnThatWasInDoubtKeepsTheMarkersOfItsFamily) {
  Scenario s(FanOutRule(), Scenario::Source::kRead);
  for (const char* cell : {"k=a@10", "k=c@11", "D:k@11"}) s.Tells({s.Happens(cell)});
  const ChangeEvent put = s.Happens("k=c@12");
  s.Tells({put});
  s.Tells({s.Happens("DF@17")});
  s.Restarts();
  s.Tells({put});
  EXPECT_EQ(s.Difference(), "");
}

/// An owner stores two events and is paused in its n-th write; the next one redoes some of them before that arrives,
/// the one after redoes both from whatever is stored then.
std::string RedoneFromALaterState(int n, size_t redone) {
  World world(ValueRule(), true);
  ZombieStore zombie(world.store());
  ToldLog log(&world);
  const auto tells = [&](indexer::IndexMaintainer* owner, size_t from, size_t count) {
    const consumer::Batch batch = log.Part(from, count);
    Status applied = owner->Apply(batch);
    return applied.ok() ? world.RereadSource(owner, batch) : applied;
  };
  for (const char* cell : {"k=a@10", "k=b@11", "k=c@12"}) log.Happens(cell);
  Must(tells(world.NewMaintainer(true).get(), 0, 3));
  for (const char* cell : {"D:k@12", "D:k@11"}) log.Happens(cell);
  zombie.KeepBackOnly(n);
  const Status paused = tells(world.NewMaintainer(false, &zombie).get(), 3, 2);
  if (paused.ok()) return zombie.kept_back() ? "" : "no write was late";
  if (redone > 0) Must(tells(world.NewMaintainer(false).get(), 3, redone));
  zombie.Drain();
  Must(tells(world.NewMaintainer(false).get(), 3, 2));
  std::string wrong = world.Difference();
  for (const char* cell : {"k=d@13", "D:k@13", "DF@20"}) {
    log.Happens(cell);
    Must(tells(world.NewMaintainer(false).get(), log.size() - 1, 1));
    if (wrong.empty()) wrong = world.Difference();
  }
  return wrong;
}

TEST_F(DoubtsTest, ARedoFromALaterStateOfAPausedOwnerEndsExact) {
  for (int n = 1; n <= 4; ++n) {
    for (const size_t redone : {0, 1, 2}) EXPECT_EQ(RedoneFromALaterState(n, redone), "") << n << " " << redone;
  }
}

TEST_F(DoubtsTest, ALateIntentIsNotTakenForWhatTheFirstLookLeft) {
  Scenario s(TwoPartRule(), Scenario::Source::kRead);
  BeginWithAForgottenMarker(&s);
  World* world = s.world();
  world->ShowSourceLate(1'000);
  world->set_tight(true);
  std::vector<ChangeEvent> batch = {s.Happens("m=b@12")};
  AddOtherRows(&s, &batch);  // so that the state of r is read again
  const auto owner = world->NewMaintainer(false);
  const consumer::Batch told = world->MakeBatch(batch);
  Must(owner->Apply(told));
  ASSERT_EQ(s.Index(), (Entries{{{"a-none", "f:r"}, ""}}));
  // Another owner saw what the second look will see, and was paused while it said so.
  indexer::UnitWork other;
  other.unit.row = "r";
  indexer::InOrder late;
  indexer::StateWrites(world->layout(), true, std::nullopt)
      .AddIntent("someone.", {{.cells = {{"f", "k", 20, "a"}, {"f", "m", 12, "b"}}}}, 900, &other, &late);
  Must(world->store()->Put(world->index().state_table(), late.first).status());
  Must(world->store()->Put(world->index().state_table(), late.then).status());
  Must(world->RereadSource(owner.get(), told));
  EXPECT_EQ(s.Index(), (Entries{{{"a-b", "f:r"}, ""}}));
}

}  // namespace
}  // namespace fensi::testing
