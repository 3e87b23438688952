// Which index is dropped, and what stays of one that is not.
#include "operations/drop/dropping.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include "indexer/index_descriptor.h"
#include "indexer/index_meta.h"
#include "indexer/meta_row.h"
#include "mapping/environment.h"
#include "meta/alias_record.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/taken_names.h"
#include "store/wrapped_store.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class DroppingTest : public ::testing::Test {
 protected:
  Status Drop() {
    Dropping dropping(world_.index, world_.store, {});
    const Status planned = dropping.Plan(world_.mappings);
    return planned.ok() ? dropping.Execute() : planned;
  }
  void ExpectNothingWasDone() const {
    EXPECT_TRUE(world_.HasTable("i"));
    EXPECT_TRUE(world_.HasTable(world_.index->state_table()));
    EXPECT_EQ((*world_.record("i").Read())->phase, meta::Phase::kBuilding);
  }

  RecordedConsole console_;
  const BegunIndex world_;
};

TEST_F(DroppingTest, TakesItsTablesAndItsName) {
  EXPECT_TRUE(Drop().ok());
  EXPECT_FALSE(world_.HasTable("i"));
  EXPECT_FALSE(world_.HasTable(world_.index->state_table()));
  EXPECT_THAT(console_.TakeData(), HasSubstr("table i: dropped\n"));
  Dropping again(world_.index, world_.store, {});
  EXPECT_TRUE(again.Plan(world_.mappings).ok());
  EXPECT_TRUE(again.nothing_is_there());
}

TEST_F(DroppingTest, OneThatAnAliasNamesIsRefused) {
  const meta::AliasRecord alias(
      meta::VersionedMetaRow(world_.store.get(), mapping::kDefaultMetaTable, meta::AliasRow("fans")));
  ASSERT_TRUE(alias.Switch(std::nullopt, {"i", world_.incarnation}).ok());
  EXPECT_THAT(*AliasesOf(*world_.index, world_.store.get(), mapping::kDefaultMetaTable),
              ::testing::ElementsAre("fans"));
  const Status refused = Drop();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("alias fans names the index"));
  ExpectNothingWasDone();
}

TEST_F(DroppingTest, TablesOfAnotherIndexStay) {
  ASSERT_TRUE(world_.record("other").Register({.incarnation = "0123456789abcdef", .table = "i"}).ok());
  EXPECT_THAT(Drop().message(), HasSubstr("table i is that of index:other, too"));
  ExpectNothingWasDone();
}

TEST_F(DroppingTest, AMetaTableOfAnotherNameHidesNoAlias) {
  Dropping dropping(world_.index, world_.store, {.store = {.meta_table = "no_meta"}, .meta_table_given = true});
  ASSERT_TRUE(dropping.Plan(world_.mappings).ok());
  EXPECT_THAT(dropping.RequireUnused().message(), HasSubstr("meta table no_meta does not exist"));
  ExpectNothingWasDone();
}

/// Calls a function after a table was dropped, as if the process had slept there.
class SleepyStore final : public store::DelegatingStore {
 public:
  SleepyStore(const std::shared_ptr<store::Store>& behind, std::function<void()> meanwhile)
      : DelegatingStore(behind), meanwhile_(std::move(meanwhile)) {}
  Status DropTable(const std::string& table) override {
    const Status dropped = DelegatingStore::DropTable(table);
    if (meanwhile_) std::exchange(meanwhile_, nullptr)();
    return dropped;
  }

 private:
  std::function<void()> meanwhile_;
};

TEST_F(DroppingTest, ATableThatAnotherMadeSinceTheDropBeganStays) {
  const auto dies = [] { throw std::runtime_error("killed"); };
  Dropping dropping(world_.index, std::make_shared<SleepyStore>(world_.store, dies), {});
  ASSERT_TRUE(dropping.Plan(world_.mappings).ok());
  EXPECT_THROW(static_cast<void>(dropping.Execute()), std::runtime_error);
  ASSERT_FALSE(world_.HasTable("i"));
  ASSERT_TRUE(world_.store->CreateTable({"i", {{"f"}}}, {}).ok());
  EXPECT_THAT(Drop().message(), HasSubstr("table i was created again after the drop of the index had begun"));
  EXPECT_TRUE(world_.HasTable("i"));
  EXPECT_TRUE(world_.HasTable(world_.index->state_table()));
  ASSERT_TRUE(world_.store->DropTable("i").ok());
  EXPECT_TRUE(Drop().ok());
  EXPECT_FALSE(world_.HasTable(world_.index->state_table()));
}

TEST_F(DroppingTest, OneThatSleptTakesNothingOfTheIndexThatWasCreatedMeanwhile) {
  const auto meanwhile = [&] {
    ASSERT_TRUE(Drop().ok());
    ASSERT_TRUE(CreateTables(*PlanTables(*world_.index, world_.store.get()), world_.store.get()).ok());
    indexer::IndexMeta meta(world_.index.get(), world_.store.get());
    ASSERT_TRUE(meta.Open().ok());
    ASSERT_TRUE(world_.record("i").Register(indexer::FactsOf(*world_.index, meta.incarnation())).ok());
  };
  Dropping dropping(world_.index, std::make_shared<SleepyStore>(world_.store, meanwhile), {});
  ASSERT_TRUE(dropping.Plan(world_.mappings).ok());
  const Status late = dropping.Execute();
  EXPECT_EQ(late.code(), StatusCode::kConfiguration);
  EXPECT_THAT(late.message(), HasSubstr("the index changed while this command dropped it"));
  EXPECT_TRUE(world_.HasTable("i"));
  EXPECT_TRUE(world_.HasTable(world_.index->state_table()));
}

TEST_F(DroppingTest, OneThatSleptWhileAnotherEndedHasNothingLeftToDo) {
  const auto meanwhile = [&] {
    ASSERT_TRUE(Drop().ok());
    ASSERT_TRUE(world_.store->CreateTable({world_.index->state_table(), {{"f"}}}, {}).ok());
  };
  Dropping dropping(world_.index, std::make_shared<SleepyStore>(world_.store, meanwhile), {});
  ASSERT_TRUE(dropping.Plan(world_.mappings).ok());
  EXPECT_TRUE(dropping.Execute().ok());
  EXPECT_TRUE(world_.HasTable(world_.index->state_table())) << "somebody else made it";
}

TEST_F(DroppingTest, AnIndexThatBeganAfterThePlanKeepsItsRecord) {
  ASSERT_TRUE(world_.record("i").NoteDropped(world_.incarnation).ok());
  Dropping dropping(world_.index, world_.store, {});
  ASSERT_TRUE(dropping.Plan(world_.mappings).ok());
  ASSERT_TRUE(world_.record("i").Register(indexer::FactsOf(*world_.index, world_.incarnation)).ok());
  EXPECT_THAT(dropping.Execute().message(), HasSubstr("a process began the index while this command ran"));
  EXPECT_EQ((*world_.record("i").Read())->incarnation, world_.incarnation);
  ExpectNothingWasDone();
}

TEST_F(DroppingTest, OneThatGivesUpTakesBackItsOwnRetirementOnly) {
  const meta::AliasRecord alias(
      meta::VersionedMetaRow(world_.store.get(), mapping::kDefaultMetaTable, meta::AliasRow("fans")));
  ASSERT_TRUE(world_.record("i").SetPhase(world_.incarnation, meta::Phase::kLive).ok());
  Dropping own(world_.index, world_.store, {}), late(world_.index, world_.store, {});
  ASSERT_TRUE(own.Plan(world_.mappings).ok());
  ASSERT_TRUE(late.Plan(world_.mappings).ok());
  ASSERT_TRUE(alias.Switch(std::nullopt, {"i", world_.incarnation}).ok());
  EXPECT_THAT(own.Execute().message(), HasSubstr("alias fans names the index"));
  EXPECT_EQ((*world_.record("i").Read())->phase, meta::Phase::kLive);
  ASSERT_TRUE(world_.record("i").Retire(world_.incarnation, "another drop").ok());
  EXPECT_THAT(late.Execute().message(), HasSubstr("alias fans names the index"));
  EXPECT_EQ((*world_.record("i").Read())->phase, meta::Phase::kRetired);
}

TEST_F(DroppingTest, ALostRecordIsMadeAgainFirst) {
  ASSERT_TRUE(world_.record("i").NoteDropped(world_.incarnation).ok());
  const indexer::MetaRow row(world_.index.get(), world_.store.get(), SystemClock());
  ASSERT_TRUE(row.Set("partitions/" + world_.index->topic(), "1").ok());
  Dropping dropping(world_.index, world_.store, {});
  ASSERT_TRUE(dropping.Plan(world_.mappings).ok());
  EXPECT_THAT(dropping.RequireUnused().message(), HasSubstr(MissingRecordText("fensi_meta")));
  EXPECT_TRUE(world_.HasTable("i"));
}

}  // namespace
}  // namespace fensi::operations
