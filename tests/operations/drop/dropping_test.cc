// Which index is dropped, and what stays of one that is not.
#include "operations/drop/dropping.h"

#include <gmock/gmock.h>

#include "indexer/meta_row.h"
#include "mapping/environment.h"
#include "meta/alias_record.h"
#include "operations/tables/taken_names.h"
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
