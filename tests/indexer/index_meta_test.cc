// Where an index may begin, and when it must stop and say so.
#include "indexer/index_meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/remedies.h"
#include "store/open_store.h"
#include "store/routing_store.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::IndexMeta;
using indexer::Start;

class IndexMetaTest : public ::testing::Test {
 protected:
  Result<Start> Begin(std::optional<int64_t> committed, int64_t log_start, int64_t log_end, int32_t count = 1) {
    IndexMeta meta(&world_.index(), world_.store());
    FENSI_RETURN_IF_ERROR(meta.Open());
    return meta.Begin({std::make_shared<FakeAssignment>("t", 0, count), committed, log_start, log_end});
  }
  World world_{ValueRule(), false};
};

TEST_F(IndexMetaTest, ANewIndexBeginsAtTheEarliestOffsetAndKnowsThatNoStateExists) {
  const Result<Start> start = Begin(std::nullopt, 5, 9);
  ASSERT_TRUE(start.ok()) << start.status().ToString();
  EXPECT_EQ(start->offset, 5);
  EXPECT_TRUE(start->fresh);
}

TEST_F(IndexMetaTest, AfterACrashBeforeTheFirstCommitItBeginsAgainAndReadsStates) {
  ASSERT_TRUE(Begin(std::nullopt, 5, 9).ok());
  const Result<Start> again = Begin(std::nullopt, 5, 9);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->offset, 5);
  EXPECT_FALSE(again->fresh);
}

TEST_F(IndexMetaTest, ASecondTopicReadsTheStatesOfTheFirst) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok());
  IndexMeta meta(&world_.index(), world_.store());
  ASSERT_TRUE(meta.Open().ok());
  const Result<Start> second = meta.Begin({std::make_shared<FakeAssignment>("u"), std::nullopt, 0, 9});
  ASSERT_TRUE(second.ok()) << second.status().ToString();
  EXPECT_FALSE(second->fresh);
}

TEST_F(IndexMetaTest, ABackfillOfThisProcessThatEndedInTheMiddleComesFirst) {
  IndexMeta meta(&world_.index(), world_.store());
  ASSERT_TRUE(meta.Open().ok());
  const indexer::MetaRow row(&world_.index(), world_.store());
  ASSERT_TRUE(row.Write("requests/-1", 1, "0 5 aaaaaaaaaaaaaaaa").ok());
  const Result<Start> refused = Begin(std::nullopt, 5, 9);
  EXPECT_EQ(refused.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.status().message(), HasSubstr("Repeat the backfill until it ends: fensi backfill"));
  EXPECT_TRUE(meta.Begin({std::make_shared<FakeAssignment>("own requests", -1), std::nullopt, 0, 0}).ok());
  ASSERT_TRUE(row.Write("requests/-1", 2, "5 5 aaaaaaaaaaaaaaaa").ok());
  EXPECT_TRUE(Begin(std::nullopt, 5, 9).ok());
}

TEST_F(IndexMetaTest, AnotherKafkaClusterIsAGapUntilAPersonAllowsIt) {
  const auto begin = [&](const std::string& cluster) {
    IndexMeta meta(&world_.index(), world_.store());
    EXPECT_TRUE(meta.Open().ok());
    return meta.Begin({std::make_shared<FakeAssignment>("t"), 7, 0, 9, {}, cluster}).status();
  };
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok()) << "of a version that did not ask for it";
  ASSERT_TRUE(begin("one").ok());
  ASSERT_TRUE(begin("one").ok());
  EXPECT_TRUE(begin("").ok()) << "old brokers have none";
  const Status other = begin("two");
  EXPECT_EQ(other.code(), StatusCode::kGap);
  EXPECT_THAT(other.message(), HasSubstr("of Kafka cluster one, and cluster two is at the address now"));
  EXPECT_THAT(other.message(), HasSubstr("fensi replay"));
  EXPECT_TRUE(IndexMeta(&world_.index(), world_.store()).AllowCluster("t", "two").ok());
  EXPECT_TRUE(begin("two").ok());
  EXPECT_FALSE(begin("one").ok());
}

TEST_F(IndexMetaTest, ACommittedOffsetIsWhereItGoesOn) {
  ASSERT_TRUE(Begin(std::nullopt, 5, 9).ok());
  const Result<Start> next = Begin(7, 5, 9);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(next->offset, 7);
  EXPECT_FALSE(next->fresh);
}

TEST_F(IndexMetaTest, ACommittedOffsetThatIsGoneStopsTheIndex) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok());
  ASSERT_TRUE(Begin(7, 0, 9).ok());
  const Result<Start> gone = Begin(std::nullopt, 0, 9);
  EXPECT_EQ(gone.status().code(), StatusCode::kGap);
  EXPECT_THAT(gone.status().message(), HasSubstr("committed offset of the group was deleted, or has expired"));
  EXPECT_THAT(gone.status().message(), HasSubstr(indexer::GapRemedy(world_.index())));
}

TEST_F(IndexMetaTest, AnOffsetThatIsMissingSoonAfterTheFirstCommitStopsTheIndex) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok());
  ASSERT_TRUE(IndexMeta(&world_.index(), world_.store()).NoteCommit(FakeAssignment("t")).ok());
  EXPECT_EQ(Begin(std::nullopt, 0, 9).status().code(), StatusCode::kGap) << "the topic may be another one";
  EXPECT_EQ(Begin(7, 0, 9)->offset, 7);
}

TEST_F(IndexMetaTest, ALogThatLostWhatComesNextStopsTheIndex) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok());
  EXPECT_THAT(Begin(7, 8, 20).status().message(), HasSubstr("Kafka has deleted the next offsets"));
  EXPECT_THAT(Begin(7, 0, 3).status().message(), HasSubstr("the log ends before"));
}

TEST_F(IndexMetaTest, ALogThatLostItsBeginningBeforeTheFirstCommitStopsTheIndex) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok());
  EXPECT_EQ(Begin(std::nullopt, 1, 9).status().code(), StatusCode::kGap);
}

TEST_F(IndexMetaTest, CommittedOffsetsOverAnEmptyStateStopTheIndexUnlessAPersonAllowedIt) {
  EXPECT_EQ(Begin(7, 0, 9).status().code(), StatusCode::kGap);
  IndexMeta meta(&world_.index(), world_.store());
  ASSERT_TRUE(meta.SetStartOffset("t", 0, 7).ok());
  const Result<Start> allowed = Begin(7, 0, 9);
  ASSERT_TRUE(allowed.ok()) << allowed.status().ToString();
  EXPECT_EQ(allowed->offset, 7);
}

TEST_F(IndexMetaTest, AGrownTopicStopsTheIndex) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9, 4).ok());
  const Result<Start> grown = Begin(7, 0, 9, 5);
  EXPECT_EQ(grown.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(grown.status().message(), HasSubstr("had 4 partitions and has 5 now"));
}

TEST_F(IndexMetaTest, AChangedDefinitionIsRefused) {
  ASSERT_TRUE(Begin(std::nullopt, 0, 9).ok());
  const auto changed = CompileRule({"", "    row: '{f:m}'\n    columns: { 'f:{row}': '' }\n", nullptr});
  IndexMeta meta(changed.get(), world_.store());
  const Status opened = meta.Open();
  EXPECT_EQ(opened.code(), StatusCode::kConfiguration);
  EXPECT_THAT(opened.message(), HasSubstr("its definition changed"));
  EXPECT_THAT(opened.message(), HasSubstr("The definition in use was:\nsource: "));
  EXPECT_THAT(opened.message(), HasSubstr("and now it is:\nsource: "));
  EXPECT_THAT(opened.message(), HasSubstr("move readers to it with 'fensi switch'"));
  EXPECT_THAT(opened.words().open(), HasSubstr("'fensi check MAPPING --online --store URL' shows both definitions"));
  EXPECT_THAT(opened.words().open(), ::testing::Not(HasSubstr(RedactableText::kHidden)));
}

/// Opens an index that an earlier version began, with a state of this unit.
Status OpenOld(const Rule& rule, const std::string& unit) {
  World world(rule, false);
  const auto cell = [](const char* family, const std::string& qualifier, const std::string& value) {
    return Cell{.family = family, .qualifier = qualifier, .timestamp = 1, .value = value};
  };
  const std::string definition = world.index().fingerprint() + "\n" + world.index().definition();
  const std::vector<store::RowMutation> old = {
      {"fensi", {cell("i", "definition", definition), cell("i", "source", "kept")}}, {"r", {cell("s", unit, "v")}}};
  EXPECT_TRUE(world.store()->Put("inverse_state", old).ok());
  const Status opened = IndexMeta(&world.index(), world.store()).Open();
  EXPECT_EQ(IndexMeta(&world.index(), world.store()).Open().message(), opened.message());
  return opened;
}

TEST(IndexMeta, StatesOfOtherUnitsThanAreKeptAreRefused) {
  EXPECT_TRUE(OpenOld(ValueRule(), "").ok());
  EXPECT_TRUE(OpenOld(QualifierRule(), "f:a").ok());
  const Status by_column = OpenOld(ValueRule(), "f:a");
  EXPECT_EQ(by_column.code(), StatusCode::kConfiguration);
  EXPECT_THAT(by_column.message(), HasSubstr("keeps one state for each column of a source row, and this version "
                                             "keeps one for each source row"));
  const Status by_row = OpenOld(QualifierRule(), "");
  EXPECT_EQ(by_row.code(), StatusCode::kConfiguration);
  EXPECT_THAT(by_row.message(), HasSubstr("keeps one state for each source row, and this version keeps one for each "
                                          "column of a source row"));
}

TEST_F(IndexMetaTest, ANewIndexOverATableThatIsNotEmptyIsRefused) {
  const store::RowMutation foreign{"x", {{.family = "f", .qualifier = "q", .timestamp = 1, .value = "v"}}};
  ASSERT_TRUE(world_.store()->Put("inverse", {&foreign, 1}).ok());
  IndexMeta meta(&world_.index(), world_.store());
  EXPECT_THAT(meta.Open().message(), HasSubstr("table inverse is not empty"));
}

TEST_F(IndexMetaTest, AReplayIntoAnIndexThatLostItsEntriesButNotItsStatesIsVain) {
  IndexMeta meta(&world_.index(), world_.store());
  ASSERT_TRUE(meta.Open().ok());
  EXPECT_EQ(*meta.WhyReplayIsVain(), "");
  EXPECT_FALSE(*meta.IsIndexTableEmpty());
  const store::RowMutation state{"r", {{.family = "s", .qualifier = "", .timestamp = 1, .value = "v"}}};
  ASSERT_TRUE(world_.store()->Put("inverse_state", {&state, 1}).ok());
  EXPECT_TRUE(*meta.IsIndexTableEmpty());
  EXPECT_THAT(*meta.WhyReplayIsVain(), HasSubstr("table inverse is empty, but its states in inverse_state are not"));
  EXPECT_THAT(*meta.WhyReplayIsVain(), HasSubstr("fensi repair MAPPING inverse … --from_report FILE --execute"));
}

TEST(IndexMeta, AMirrorWithoutItsSourceTableIsOneInVainAndStaysSo) {
  for (const bool with_source : {false, true}) {
    World world(MirrorValueRule(), with_source);
    IndexMeta meta(&world.index(), world.store());
    ASSERT_TRUE(meta.Open().ok());
    EXPECT_EQ(meta.stateless_fell_back(), !with_source);
    if (with_source) continue;
    ASSERT_TRUE(world.store()->CreateTable({world.index().source_table(), {{.name = "f"}}}, {}).ok());
    IndexMeta later(&world.index(), world.store());
    ASSERT_TRUE(later.Open().ok());
    EXPECT_TRUE(later.stateless_fell_back());
  }
  World states(ValueRule(), false);
  IndexMeta meta(&states.index(), states.store());
  ASSERT_TRUE(meta.Open().ok());
  EXPECT_FALSE(meta.stateless_fell_back());
}

/// One was slow, and saw no source table; right before it writes, the table is made and another begins.
TEST(IndexMeta, OfTwoThatBeginItAtOnceOneDecidesForBoth) {
  World world(MirrorValueRule(), false);
  IndexMeta faster(&world.index(), world.store());
  bool raced = false;
  world.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call != store::FaultyStore::Call::kCompareAndPut || raced) return Status();
    raced = true;
    FENSI_RETURN_IF_ERROR(world.store()->CreateTable({world.index().source_table(), {{.name = "f"}}}, {}));
    return faster.Open();
  });
  IndexMeta slower(&world.index(), world.faulty());
  ASSERT_TRUE(slower.Open().ok());
  ASSERT_TRUE(raced);
  for (const IndexMeta* meta : {&faster, &slower}) {
    EXPECT_EQ(meta->scheme(), mapping::Scheme::kStateless);
    EXPECT_TRUE(meta->reads_source());
  }
  const auto cells = indexer::MetaRow(&world.index(), world.store()).ReadAll();
  ASSERT_TRUE(cells.ok());
  EXPECT_EQ(cells->at("source").value, "read");
  EXPECT_EQ(cells->at("scheme").value, "mirror 1");
  EXPECT_FALSE(cells->contains("buckets"));
}

TEST_F(IndexMetaTest, ABeginningWhoseReplyIsLostIsOne) {
  for (const auto when : {store::FaultyStore::When::kBefore, store::FaultyStore::When::kAfter}) {
    world_.Reset();
    world_.faulty()->FailCall(1, when, {}, store::FaultyStore::Call::kCompareAndPut);
    IndexMeta meta(&world_.index(), world_.faulty(), world_.clock());
    ASSERT_TRUE(meta.Open().ok());
    EXPECT_TRUE(meta.Known()->has_value());
    EXPECT_TRUE(meta.layout().buckets());
  }
}

TEST_F(IndexMetaTest, AnIncarnationIsDrawnAtBirthAndStaysUntilTheTablesAreDropped) {
  IndexMeta first(&world_.index(), world_.store());
  ASSERT_TRUE(first.Open().ok());
  EXPECT_THAT(first.incarnation(), ::testing::MatchesRegex("[0-9a-f]{16}"));
  IndexMeta second(&world_.index(), world_.store());
  ASSERT_TRUE(second.Open().ok());
  EXPECT_EQ(second.incarnation(), first.incarnation());
  world_.Reset();
  IndexMeta another(&world_.index(), world_.store());
  ASSERT_TRUE(another.Open().ok());
  EXPECT_NE(another.incarnation(), first.incarnation());
}

TEST_F(IndexMetaTest, WhoOpenedAnIndexThatWasMadeAgainBeginsNothingMore) {
  IndexMeta paused(&world_.index(), world_.store());
  ASSERT_TRUE(paused.Open().ok());
  const auto begin = [&] { return paused.Begin({std::make_shared<FakeAssignment>("t"), std::nullopt, 0, 9}).status(); };
  EXPECT_TRUE(begin().ok());
  world_.Reset();
  EXPECT_EQ(begin().code(), StatusCode::kConfiguration) << "nobody has begun the new one yet";
  EXPECT_THAT(begin().message(), AllOf(HasSubstr("was dropped, or its record was deleted"),
                                       HasSubstr("inverse_state has none"), HasSubstr("build the index again")));
  IndexMeta next(&world_.index(), world_.store());
  ASSERT_TRUE(next.Open().ok());
  const Status refused = begin();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), AllOf(HasSubstr(paused.incarnation()), HasSubstr(next.incarnation()),
                                       HasSubstr("dropped and created again"), HasSubstr("Start 'fensi run' again")));
  EXPECT_TRUE(next.CheckStillThis().ok());
}

TEST_F(IndexMetaTest, ADefinitionThatChangedUnderAProcessStopsIt) {
  IndexMeta meta(&world_.index(), world_.store());
  ASSERT_TRUE(meta.Open().ok());
  const indexer::MetaRow row(&world_.index(), world_.store());
  Must(row.Write("definition", 9, "another\nkey: of another index"));
  const Status refused = meta.CheckStillThis();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("of another index"));
}

TEST_F(IndexMetaTest, ADefinitionThatAPersonDeletedIsNamed) {
  IndexMeta meta(&world_.index(), world_.store());
  ASSERT_TRUE(meta.Open().ok());
  const indexer::MetaRow row(&world_.index(), world_.store());
  const auto cells = row.Read(std::vector<std::string>{"definition"});
  Must(row.Forget(*cells));
  const Status refused = meta.CheckStillThis();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("column i:definition is missing"));
  EXPECT_THAT(refused.message(), ::testing::Not(HasSubstr("created again")));
}

/// Names are lost, and drawn again by another process, right before this one puts its own.
TEST_F(IndexMetaTest, AnOldIndexThatTwoProcessesOpenAtOnceGetsOneIncarnation) {
  IndexMeta faster(&world_.index(), world_.store());
  int puts = 0;
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    // The first puts all but the name.
    return call == store::FaultyStore::Call::kCompareAndPut && ++puts == 2 ? faster.Open() : Status();
  });
  IndexMeta slower(&world_.index(), world_.faulty());
  ASSERT_TRUE(slower.Open().ok());
  EXPECT_EQ(puts, 2);
  EXPECT_EQ(slower.incarnation(), faster.incarnation());
}

TEST_F(IndexMetaTest, AnIncarnationWhoseReplyIsLostIsTheOneThatIsThere) {
  for (const auto when : {store::FaultyStore::When::kBefore, store::FaultyStore::When::kAfter}) {
    world_.Reset();
    world_.faulty()->FailCall(2, when, {}, store::FaultyStore::Call::kCompareAndPut);
    IndexMeta meta(&world_.index(), world_.faulty(), world_.clock());
    ASSERT_TRUE(meta.Open().ok());
    IndexMeta next(&world_.index(), world_.store());
    ASSERT_TRUE(next.Open().ok());
    EXPECT_EQ(next.incarnation(), meta.incarnation());
  }
}

TEST_F(IndexMetaTest, AMissingTableIsNamed) {
  ASSERT_TRUE(world_.store()->DropTable("inverse_state").ok());
  IndexMeta meta(&world_.index(), world_.store());
  const Status opened = meta.Open();
  EXPECT_EQ(opened.code(), StatusCode::kNotFound);
  EXPECT_THAT(opened.message(), HasSubstr("inverse_state"));
}

TEST_F(IndexMetaTest, WhetherTheSourceIsReadIsDecidedOnce) {
  IndexMeta first(&world_.index(), world_.store());
  ASSERT_TRUE(first.Open().ok());
  EXPECT_FALSE(first.reads_source());
  ASSERT_TRUE(world_.store()->CreateTable({"source", {{.name = "f"}}}, {}).ok());
  IndexMeta second(&world_.index(), world_.store());
  ASSERT_TRUE(second.Open().ok());
  EXPECT_FALSE(second.reads_source());
}

TEST(IndexMeta, AFamilyThatTheSourceLacksIsNoticedAtTheStart) {
  World world(ValueRule(), true);
  ASSERT_TRUE(IndexMeta(&world.index(), world.store()).Open().ok());
  Must(world.store()->DropTable("source"));
  Must(world.store()->CreateTable({"source", {{.name = "g"}}}, {}));
  const Status status = IndexMeta(&world.index(), world.store()).Open();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("has no family f"));
  Must(world.store()->DropTable("source"));
  EXPECT_EQ(IndexMeta(&world.index(), world.store()).Open().code(), StatusCode::kConfiguration);
}

/// Two stores have a table of the source's name.
class OtherSourceStore : public ::testing::Test {
 protected:
  void SetUp() override {
    Must(far_->CreateTable({"source", {{.name = "f"}}}, {}));
    // The world owns its store.
    const std::shared_ptr<store::Store> near(world_.store(), [](store::Store*) {});
    both_ = std::make_unique<store::RoutingStore>(near, far_, store::SourcePlace{"hbase://far/hbase", {"source"}});
  }
  Status OpenWith(store::Store* store) { return IndexMeta(&world_.index(), store).Open(); }
  Status CheckWith(store::Store* store) { return IndexMeta(&world_.index(), store).CheckSourceStore(); }

  World world_{ValueRule(), true};
  std::shared_ptr<store::Store> far_ = store::OpenMemoryStore(SystemClock()).value();
  std::unique_ptr<store::RoutingStore> both_;
};

TEST_F(OtherSourceStore, AnIndexThatBeganWithItNeverReadsTheOtherTableOfThisName) {
  EXPECT_TRUE(CheckWith(world_.store()).ok()) << "before it has begun, either is right";
  EXPECT_TRUE(CheckWith(both_.get()).ok());
  ASSERT_TRUE(OpenWith(both_.get()).ok());
  for (const Status& status : {OpenWith(world_.store()), CheckWith(world_.store())}) {
    EXPECT_EQ(status.code(), StatusCode::kConfiguration);
    EXPECT_THAT(status.message(), HasSubstr("in another cluster than --store. Give"));
  }
  EXPECT_TRUE(OpenWith(both_.get()).ok());
  EXPECT_TRUE(CheckWith(both_.get()).ok());
}

TEST_F(OtherSourceStore, AnIndexThatBeganWithoutItStaysWithoutIt) {
  ASSERT_TRUE(OpenWith(world_.store()).ok());
  for (const Status& status : {OpenWith(both_.get()), CheckWith(both_.get())}) {
    EXPECT_EQ(status.code(), StatusCode::kConfiguration);
    EXPECT_THAT(status.message(), HasSubstr("in --store. Leave out --source_store"));
    EXPECT_THAT(status.message(), HasSubstr("the table of hbase://far/hbase"));
  }
  EXPECT_TRUE(OpenWith(world_.store()).ok());
}

TEST_F(OtherSourceStore, AnIndexDoesNotBeginWithoutTheTableThatWasNamed) {
  Must(far_->DropTable("source"));
  const Status status = OpenWith(both_.get());
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("source table source is missing in hbase://far/hbase (--source_store)"));
  EXPECT_FALSE(IndexMeta(&world_.index(), world_.store()).Known()->has_value()) << "nothing was decided";
  Must(far_->CreateTable({"source", {{.name = "f"}}}, {}));
  EXPECT_TRUE(OpenWith(both_.get()).ok());
}

TEST_F(OtherSourceStore, AnIndexThatKeepsVersionsHasToBeBuiltAgainToReadIt) {
  Must(world_.store()->DropTable("source"));
  ASSERT_TRUE(OpenWith(world_.store()).ok());
  EXPECT_THAT(OpenWith(both_.get()).message(), HasSubstr("began without its source table"));
}

}  // namespace
}  // namespace fensi::testing
