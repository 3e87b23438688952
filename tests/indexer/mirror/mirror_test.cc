// What a stateless index asks, writes and tells beside being exact (mirror_property_test.cc).
#include "indexer/mirror/mirror.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/index_meta.h"
#include "indexer/mirror/known_columns.h"
#include "tests/indexer/support/refusing_store.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/two_logs.h"

namespace fensi::testing {
namespace {

using ::testing::HasSubstr;
using Source = Scenario::Source;

TEST(MirrorTest, APutCostsOneCellAndNoRead) {
  Scenario s(MirrorValueRule(), Source::kRead);
  s.Tells({s.Happens("k=a@11"), s.Happens("k=b@12"), s.Happens("k=c@13 v=x@13")});
  const indexer::Counters& did = *s.world()->counters();
  EXPECT_EQ(did.puts, 1);
  EXPECT_EQ(did.deletes + did.source_reads + did.state_reads, 0);
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorTest, PutsOfAValueThatIsNotShownLeaveNoFloor) {
  Scenario time(MirrorTimeRule(), Source::kRead), value(MirrorValueRule(), Source::kRead);
  for (Scenario* s : {&time, &value}) {
    s->Tells({s->Happens("k=a@12")});
    s->Tells({s->Happens("k=b@11")});
    EXPECT_EQ(s->Difference(), "");
  }
  EXPECT_EQ(time.world()->counters()->source_reads, 0);
  EXPECT_GT(value.world()->counters()->source_reads, 0);
}

TEST(MirrorTest, AnOldEventIsLookedAtOnce) {
  World world(MirrorValueRule(), true);
  world.clock()->Set(1'000'000);
  for (const bool old : {true, false}) {
    const ChangeEvent gone{.table = "source", .row = "r", .cells = {ParseCell("D:k@11")}};
    consumer::Batch batch = world.MakeBatch({&gone, 1});
    batch.records[0].old = old;
    const auto owner = world.NewMaintainer(false);
    Must(owner->Apply(batch));
    EXPECT_EQ(owner->second_look().has_value(), !old);
  }
}

/// The offset may move when it is done: the next owner must not take versions that are used.
TEST(MirrorTest, FloorsAreStoredBeforeTheBatchIsDone) {
  World world(MirrorValueRule(), true);
  const ChangeEvent gone{.table = "source", .row = "r", .cells = {ParseCell("DC:k@11")}};
  world.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    const bool floors = call == store::FaultyStore::Call::kPut && table == world.index().state_table();
    return floors ? store::FaultyStore::Lost() : Status();
  });
  EXPECT_FALSE(world.NewMaintainer(true)->Apply(world.MakeBatch({&gone, 1})).ok());
}

TEST(MirrorTest, WhatTheStoreRefusesIsALetterAndTheOldEntryGoes) {
  World world(MirrorValueRule(), true);
  RefusingStore refusing(world.store());
  const auto owner = world.NewMaintainer(true, &refusing);
  std::vector<ChangeEvent> events;
  for (const char* cell : {"k=a@11", "k=b@12"}) {
    events.push_back({.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = events.size() + 1});
  }
  Must(owner->Apply(world.MakeBatch({events.data(), 1})));
  refusing.Refuse("f", "k");
  Must(owner->Apply(world.MakeBatch({&events[1], 1})));
  EXPECT_EQ(world.Actual(), Entries());
  ASSERT_EQ(world.letters()->letters().size(), 1u);
  EXPECT_EQ(world.letters()->letters()[0].kind, "rejected");
}

TEST(MirrorTest, APutBelowARefusedOneIsAskedFor) {
  World world(MirrorTimeRule(), true);
  RefusingStore refusing(world.store());
  const auto owner = world.NewMaintainer(true, &refusing);
  const ChangeEvent put{.table = "source", .row = "r", .cells = {ParseCell("k=a@12")}, .sequence_id = 1};
  world.ApplyToSource(put);
  refusing.Refuse("f", "k");
  Must(owner->Apply(world.MakeBatch({&put, 1})));
  refusing.Refuse("f", "");
  Must(owner->Apply(world.MakeBatch({&put, 1})));  // told again, when it is taken
  EXPECT_EQ(world.Difference(), "");
}

TEST(MirrorTest, AValueWithoutEntryIsALetterAndTheOldEntryGoes) {
  const Rule whole{"whole", "    row: '{row}'\n    columns: { 'f:k': '{f:k | int | decimal}' }\n    mode: stateless\n",
                   [](const std::string&, const SourceModel::VisibleRow&, Entries*) {}};
  Scenario s(whole, Source::kRead);
  s.Tells({s.Happens("k=1@11")});
  s.Tells({s.Happens("k=x@12")});
  EXPECT_EQ(s.Index(), Entries());
  EXPECT_EQ(s.world()->letters()->letters().size(), 1u);
  s.Tells({s.Happens("k=y@12")});  // asked for, and looked at twice
  EXPECT_EQ(s.world()->letters()->letters().size(), 2u);
}

TEST(MirrorTest, WhatIsPutHigherThanItsSourceCellEndsWithIt) {
  Scenario s(MirrorValueRule(), Source::kRead, "    create: { families: { f: { ttl: 10s } } }\n");
  s.Tells({s.Happens("k=a@11")});
  s.Tells({s.Happens("D:k@2000")});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  s.world()->clock()->Set(10'010);
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  s.world()->clock()->Set(10'100);
  EXPECT_EQ(s.Index(), Entries());
}

TEST(MirrorTest, APutThatNoChangeCouldFollowIsALetterEachTime) {
  Scenario s(MirrorValueRule(), Source::kRead);
  const std::string last = std::to_string(INT64_MAX - 3);
  for (size_t told = 1; told <= 3; ++told) {
    s.Tells({s.Happens("k=a@" + last)});
    EXPECT_EQ(s.Difference(), "");
    ASSERT_EQ(s.world()->letters()->letters().size(), told);
    EXPECT_THAT(s.world()->letters()->letters().back().reason, HasSubstr(last));
  }
}

TEST(MirrorTest, AFarTimeOfOneCellPutsNoOtherInDoubt) {
  Scenario s(MirrorValueRule(), Source::kRead);
  s.Tells({s.Happens("k=a@999999999")});
  s.Restarts();
  s.Tells({s.Happens("k=a@11", "other")});
  EXPECT_EQ(s.world()->counters()->source_reads, 0);
  s.Tells({s.Happens("k=b@12")});
  EXPECT_EQ(s.world()->counters()->source_reads, 2);
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorTest, ARecheckPutsItsEntriesAboveWhatSomebodyPlanted) {
  Scenario s(MirrorValueRule(), Source::kRead);
  s.Tells({s.Happens("k=a@11")});
  const std::string table = s.world()->index().table();
  const Cell planted{.family = "f", .qualifier = "k", .timestamp = 500, .type = CellType::kDeleteColumn};
  const Cell foreign{.family = "f", .qualifier = "k", .timestamp = 600, .value = "x"};
  WriteCells({.table = table, .row = "r", .cells = {planted}}, table, s.world()->store());
  WriteCells({.table = table, .row = "foreign", .cells = {foreign}}, table, s.world()->store());
  const auto owner = s.world()->NewMaintainer(false);
  Must(ApplyRequests(s.world(), owner.get(), {RecheckOf("r", {{table, "foreign", "f", "k", 600}})}));
  EXPECT_EQ(s.Difference(), "");
  s.Restarts();
  s.Tells({s.Happens("DC:k@12")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorTest, WhatARequestAskedIsLookedAtAgainAsLongAsTheStreamMayNotBeShown) {
  World world(MirrorValueRule(), true);
  const auto owner = world.NewMaintainer(false);
  Must(owner->Apply(ToldOf(&world, {RecheckOf("r")})));
  EXPECT_TRUE(owner->second_look().has_value());  // an owner before this one may just have been told
  world.clock()->Advance(std::chrono::seconds(3));
  Must(owner->Apply(ToldOf(&world, {RecheckOf("r")})));
  EXPECT_FALSE(owner->second_look().has_value());
  const ChangeEvent put{.table = "source", .row = "r", .cells = {ParseCell("k=a@11")}};
  Must(owner->Apply(world.MakeBatch({&put, 1})));
  Must(owner->Apply(ToldOf(&world, {RecheckOf("r")})));
  EXPECT_TRUE(owner->second_look().has_value());
}

TEST(MirrorTest, ANewColumnIsNotedOnceAndForTheWholeBatchInOneCall) {
  Scenario s(MirrorEachTimeRule(), Source::kRead);
  int notes = 0;
  s.world()->faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    notes += call == store::FaultyStore::Call::kPut && table == s.world()->index().state_table() ? 1 : 0;
    return Status();
  });
  s.Tells({s.Happens("k=a@11"), s.Happens("k=a@12", "other"), s.Happens("v=a@13")});
  EXPECT_EQ(notes, 2);  // and how far the region is told
  notes = 0;
  s.Tells({s.Happens("k=a@14")});
  EXPECT_EQ(notes, 1);
}

/// Rows of a bucket stand among one another, and one's name may begin as another's does.
TEST(KnownColumnsTest, AreThoseOfTheRowAndFamilyAlone) {
  World world(MirrorEachTimeRule(), true);
  indexer::PhaseClock phases(nullptr);
  const auto known = [&] { return indexer::KnownColumns(&world.index(), world.store(), &phases, 1000); };
  std::vector<std::string> rows;  // all in one bucket
  for (int i = 0; rows.size() < 4; ++i) {
    const std::string row = "r" + std::to_string(i);
    if (indexer::BucketOf(row, 10) == indexer::BucketOf("r0", 10)) rows.push_back(row);
  }
  indexer::KnownColumns first = known();
  std::vector<std::string> wanted;
  for (int i = 0; i < 250; ++i) {
    const std::string column = std::string(1, static_cast<char>(i)) + "q";
    wanted.push_back(column);
    for (const std::string& row : rows) first.Note(row, "f", column);
    first.Note(rows[1], "g", column);
  }
  first.Note(rows[2], "f", "");
  Must(first.Save());
  std::sort(wanted.begin(), wanted.end());
  indexer::KnownColumns second = known();
  second.Note(rows[1], "f", "not stored");
  std::vector<std::string> found;
  Must(second.Find(rows[3], "f", &found));
  EXPECT_EQ(found, wanted);
  found.clear();
  Must(second.Find(rows[2], "f", &found));
  EXPECT_EQ(found.size(), wanted.size() + 1);
  EXPECT_EQ(found.front(), "");
  found.clear();
  Must(second.Find(rows[1], "f", &found));
  EXPECT_EQ(found.size(), wanted.size() + 1);
  found.clear();
  Must(second.Find("r", "f", &found));
  EXPECT_THAT(found, ::testing::IsEmpty());
}

TEST(MirrorTest, AWideRowGoesAtOnceThoughItIsAskedForColumnByColumn) {
  Scenario s(MirrorEachTimeRule(), Source::kRead);
  std::string cells;
  for (int i = 0; i < 2500; ++i) cells += "c" + std::to_string(i) + "=x@" + std::to_string(10 + i % 7) + " ";
  s.Tells({s.Happens(cells)});
  s.Tells({s.Happens("DFV@12")});
  EXPECT_EQ(s.Difference(), "");
  s.Tells({s.Happens("DF@30")});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_EQ(s.Index(), Entries());
}

Status OpenAs(World* world, const std::string& scheme) {
  const Rule row = RowRule();
  const auto index = CompileRule(row, "    mode: " + scheme + "\n");
  indexer::IndexMeta meta(index.get(), world->store(), world->clock());
  FENSI_RETURN_IF_ERROR(meta.Open());
  EXPECT_EQ(meta.scheme() == mapping::Scheme::kStateless, scheme == "stateless" && world->with_source());
  return Status();
}

TEST(MirrorMeta, AnIndexIsRefusedByTheOtherScheme) {
  for (const char* scheme : {"stateless", "stateful"}) {
    World world(RowRule(), true);
    Must(OpenAs(&world, scheme));
    Must(OpenAs(&world, scheme));
    const std::string other = scheme == std::string("stateless") ? "stateful" : "stateless";
    const Status refused = OpenAs(&world, other);
    EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
    EXPECT_THAT(refused.message(), HasSubstr(std::string("Write 'mode: ") + scheme + "' again, or "));
    EXPECT_EQ(refused.message().find("fensi convert") != std::string::npos, other == "stateless");
  }
}

TEST(MirrorMeta, WithoutASourceToAskAnIndexKeepsStates) {
  World world(RowRule(), false);
  Must(OpenAs(&world, "stateless"));
  Must(OpenAs(&world, "stateless"));
  Must(OpenAs(&world, "stateful"));
}

TEST(MirrorMeta, AnOlderProgramDoesNotKnowTheDefinition) {
  World world(MirrorValueRule(), true);
  Must(OpenAs(&world, "stateless"));
  const auto known = indexer::MetaRow(&world.index(), world.store()).Read("definition");
  Must(known.status());
  const std::string& definition = (*known)->value;
  EXPECT_EQ(definition.substr(0, definition.find('\n')), world.index().fingerprint() + " mirror");
}

TEST(MirrorMeta, ASchemeOfALaterVersionIsRefused) {
  World world(RowRule(), true);
  Must(OpenAs(&world, "stateless"));
  Must(indexer::MetaRow(&world.index(), world.store()).Write("scheme", 2, "mirror 2"));
  const Status refused = OpenAs(&world, "stateless");
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("'mirror 2', which this version does not know"));
}

}  // namespace
}  // namespace fensi::testing
