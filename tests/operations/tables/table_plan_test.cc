#include "operations/tables/table_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/clock.h"
#include "mapping/mapping.h"
#include "store/open_store.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using store::FamilyDescriptor;
using store::TableDescriptor;

TableDescriptor Table(FamilyDescriptor family) { return {"fensi", {std::move(family)}}; }

FamilyDescriptor Family() {
  FamilyDescriptor family;
  family.name = "f1";
  family.configuration["hbase.hstore.time.to.purge.deletes"] = "86400000";
  return family;
}

TEST(CompareTables, FindsNothingInATableAsWanted) {
  EXPECT_THAT(CompareTables(Table(Family()), Table(Family())), IsEmpty());
}

TEST(CompareTables, LeavesFamiliesAloneThatTheIndexDoesNotKnow) {
  TableDescriptor found = Table(Family());
  found.families.push_back({"other"});
  EXPECT_THAT(CompareTables(Table(Family()), found), IsEmpty());
}

TEST(CompareTables, ADefaultThatIsAskedForIsNoDifference) {
  FamilyDescriptor wanted = Family();
  wanted.block_size = 65536;
  wanted.min_versions = 0;
  EXPECT_THAT(CompareTables(Table(wanted), Table(Family())), IsEmpty());
  FamilyDescriptor other = Family();
  other.block_size = 8192;
  const auto differences = CompareTables(Table(wanted), Table(other));
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].text, "family f1: BLOCKSIZE is 8192, wanted is 65536");
}

TEST(CompareTables, NamesAMissingFamily) {
  const auto differences = CompareTables(Table(Family()), {"fensi", {}});
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].text, "family f1: is missing");
  EXPECT_TRUE(differences[0].matters);
}

TEST(CompareTables, TellsWhatLosesDataFromWhatCostsTime) {
  FamilyDescriptor found = Family();
  found.ttl_seconds = 60;
  found.compression = "GZ";
  const auto differences = CompareTables(Table(Family()), Table(found));
  ASSERT_THAT(differences, SizeIs(2));
  EXPECT_EQ(differences[0].text, "family f1: TTL is 60 s, wanted is for ever");
  EXPECT_TRUE(differences[0].matters);
  EXPECT_EQ(differences[1].text, "family f1: COMPRESSION is GZ, wanted is NONE");
  EXPECT_FALSE(differences[1].matters);
}

TEST(CompareTables, MinVersionsKeepEntriesBeyondTheirTtl) {
  FamilyDescriptor wanted = Family();
  wanted.ttl_seconds = 60;
  FamilyDescriptor found = wanted;
  EXPECT_THAT(CompareTables(Table(wanted), Table(found)), IsEmpty());
  found.min_versions = 1;
  const auto differences = CompareTables(Table(wanted), Table(found));
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].text, "family f1: MIN_VERSIONS is 1, wanted is 0");
  EXPECT_TRUE(differences[0].matters);
}

TEST(CompareTables, WantsThePurgeDelayOfDeleteMarkers) {
  FamilyDescriptor found = Family();
  found.configuration.clear();
  const auto differences = CompareTables(Table(Family()), Table(found));
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_THAT(differences[0].text, HasSubstr("hbase.hstore.time.to.purge.deletes is not set, wanted is 86400000"));
  EXPECT_TRUE(differences[0].matters);
}

TEST(RequireTables, NamesEverythingThatMattersAtOnce) {
  PlannedTable missing, differing;
  missing.wanted.table = Table(Family());
  differing.wanted.table.name = "fensi_state";
  differing.exists = true;
  differing.differences = {{"family s: is missing", true}, {"family m: COMPRESSION is GZ", false}};
  const Status status = RequireTables({missing, differing});
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("table fensi is missing"));
  EXPECT_THAT(status.message(), HasSubstr("table fensi_state, family s: is missing"));
  EXPECT_THAT(status.message(), ::testing::Not(HasSubstr("GZ")));
}

TEST(PlanText, ShowsRegionsAndFamiliesOfATableToCreate) {
  PlannedTable plan;
  plan.wanted.table = Table(Family());
  plan.wanted.split_keys = {"4", "8", "c"};
  EXPECT_EQ(PlanText(plan),
            "table fensi: to be created with 4 regions\n"
            "  family f1: VERSIONS 1, TTL for ever, BLOOMFILTER ROW, COMPRESSION NONE, "
            "hbase.hstore.time.to.purge.deletes 86400000\n");
}

TEST(PlanText, OfATableThatWasMadeSaysSo) {
  PlannedTable plan;
  plan.wanted.table.name = "ns:fensi";
  EXPECT_EQ(PlanText(plan, PlanState::kDone),
            "table ns:fensi: created with 1 region, and namespace ns unless it existed\n");
}

TEST(PlanText, NamesTheNamespaceThatWillBeMade) {
  PlannedTable plan;
  plan.wanted.table.name = "ns:fensi";
  EXPECT_THAT(PlanText(plan), HasSubstr("to be created with 1 region, and namespace ns unless it exists\n"));
  plan.wanted.table.name = "fensi";
  EXPECT_EQ(PlanText(plan), "table fensi: to be created with 1 region\n");
}

std::shared_ptr<const mapping::Index> IndexOf(const std::string& lines) {
  mapping::Diagnostics diagnostics;
  const std::string text =
      "source: orders\nindexes:\n  x:\n    columns: { 'i:': '' }\n    ignore_warnings: [salted]\n" + lines;
  const std::vector<mapping::Mapping> loaded = mapping::Load({{"m.yaml", text}}, &diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0) << diagnostics.Text();
  return loaded.empty() ? nullptr : loaded[0].indexes[0];
}

std::string PlansOf(const mapping::Index& index, const std::vector<std::string>& source_splits) {
  const Result<std::unique_ptr<store::Store>> opened = store::OpenMemoryStore(SystemClock());
  store::Store* const store = opened->get();
  EXPECT_TRUE(store->CreateTable({"orders", {{"f"}}}, source_splits).ok());
  std::string text;
  const auto plans = PlanTables(index, store);
  for (const PlannedTable& plan : *plans) text += PlanText(plan);
  return text + PeriodText(index);
}

TEST(PlanTables, SplitTheStatesOfColumnsAsTheSource) {
  const auto index = IndexOf("    table: x\n    each: f:*\n    row: '{qualifier | terminated}{row}'\n");
  EXPECT_THAT(PlansOf(*index, {}),
              HasSubstr("  family s: VERSIONS 1, TTL for ever, BLOOMFILTER ROW, COMPRESSION NONE\n"));
  const indexer::TablePlan states = indexer::StateTablePlan(*index, {"", "g", "n"});
  EXPECT_THAT(states.split_keys, ::testing::ElementsAre("g", "n"));
}

TEST(PlanTables, SplitTheBucketsOfStatesEvenlyAndCompressThemAsTheEntriesInTheirNamespace) {
  const auto index = IndexOf(
      "    table: ns:x\n    row: '{f:a | terminated}{row}'\n"
      "    create: { families: { i: { compression: gz } } }\n");
  const std::string text = PlansOf(*index, {});
  EXPECT_THAT(text, HasSubstr("table ns:x_state: to be created with 1 region, and namespace ns unless it exists\n"));
  EXPECT_THAT(text,
              HasSubstr("  family s: VERSIONS 1, TTL for ever, BLOOMFILTER ROWCOL, COMPRESSION GZ, BLOCKSIZE 8192\n"));
  const indexer::TablePlan states = indexer::StateTablePlan(*index, {"", "g", "n"});
  EXPECT_THAT(states.split_keys, ::testing::ElementsAre("\x55", "\xAA"));
}

TEST(PlanTables, LeaveTheBlocksOfStatesThatAreThere) {
  const auto index = IndexOf("    table: x\n    row: '{f:a | terminated}{row}'\n");
  const Result<std::unique_ptr<store::Store>> opened = store::OpenMemoryStore(SystemClock());
  TableDescriptor older = indexer::StateTablePlan(*index, {}).table;
  for (FamilyDescriptor& family : older.families) family.block_size = 65536;
  ASSERT_TRUE((*opened)->CreateTable(older, {}).ok());
  const auto plans = PlanTables(*index, opened->get());
  EXPECT_EQ(PlanText(plans->back()), "table x_state: exists as wanted\n");
}

TEST(PlanTables, SayHowRegionsFitTheSaltsOfRowKeys) {
  const std::string row = "    table: x\n    row: '{row | salt 16}{f:t | int | decimal 13}{row}'\n";
  EXPECT_THAT(PlansOf(*IndexOf(row), {}),
              HasSubstr("table x: to be created with 1 region\n  row keys begin with one of 16 salts: with "
                        "'split: { salt: 16 }' under 'create:' each had a region of its own\n"));
  EXPECT_THAT(
      PlansOf(*IndexOf(row + "    create: { split: { salt: 16 } }\n"), {}),
      HasSubstr("table x: to be created with 16 regions\n  row keys begin with one of 16 salts: a region for each\n"));
}

TEST(PlanTables, SayThatTablesOfPeriodsComeWithTheirFirstEntries) {
  const auto index = IndexOf(
      "    table: 'x_{f:t | int | from_ms | time %Y%m%d}'\n    retention: 30d\n    row: '{f:a | terminated}{row}'\n"
      "    create: { split: { hex: 4 } }\n");
  EXPECT_THAT(PlansOf(*index, {}),
              HasSubstr("tables x_…: one for each period, made by 'fensi run' with its first entry, with 4 regions; "
                        "only you drop them\n  family i: VERSIONS 1"));
}

}  // namespace
}  // namespace fensi::operations
