#include "store/hbase/messages/conversions.h"

#include <gtest/gtest.h>

#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using thrift2::TDeleteType;

TEST(ToPut, TurnsTheTtlTagIntoTheAttribute) {
  const thrift2::TPut put = ToPut({"r", {Expiring(PutCell("f:q", 5, "v"), 3000)}});
  EXPECT_EQ(put.attributes.at("_ttl"), std::string("\0\0\0\0\0\0\x0b\xb8", 8));
  EXPECT_FALSE(ToPut({"r", {PutCell("f:q", 5, "v")}}).__isset.attributes);
}

TEST(ToPut, GivesEveryCellItsTimestamp) {
  const thrift2::TPut put = ToPut({"r", {PutCell("f:q", 0, "v")}});
  EXPECT_TRUE(put.columnValues.at(0).__isset.timestamp);
  EXPECT_EQ(put.columnValues.at(0).timestamp, 0);
}

TEST(ToDeletes, MakesOneOfEachKind) {
  const auto deletes = ToDeletes({"r",
                                  {Marker(CellType::kDelete, "f:a", 1), Marker(CellType::kDeleteFamily, "f", 2),
                                   Marker(CellType::kDelete, "f:b", 3), Marker(CellType::kDeleteColumn, "f:", 4),
                                   Marker(CellType::kDeleteFamilyVersion, "f", 5)}});
  ASSERT_EQ(deletes.size(), 4U);
  EXPECT_EQ(deletes[0].deleteType, TDeleteType::DELETE_COLUMN);
  EXPECT_EQ(deletes[0].columns.size(), 2U);
  EXPECT_EQ(deletes[1].deleteType, TDeleteType::DELETE_FAMILY);
  EXPECT_EQ(deletes[2].deleteType, TDeleteType::DELETE_COLUMNS);
  EXPECT_EQ(deletes[3].deleteType, TDeleteType::DELETE_FAMILY_VERSION);
}

TEST(ToDeletes, SetsATimestampAlwaysAndAQualifierForColumnsOnly) {
  const auto deletes = ToDeletes({"r", {Marker(CellType::kDelete, "f:", 0), Marker(CellType::kDeleteFamily, "f", 0)}});
  EXPECT_TRUE(deletes[0].columns[0].__isset.timestamp);
  EXPECT_TRUE(deletes[0].columns[0].__isset.qualifier);
  EXPECT_TRUE(deletes[1].columns[0].__isset.timestamp);
  EXPECT_FALSE(deletes[1].columns[0].__isset.qualifier);
}

TEST(ToDeletes, NeverPutsTwoMarkersOfAWholeFamilyTogether) {
  const auto deletes = ToDeletes({"r",
                                  {Marker(CellType::kDeleteFamily, "f", 2), Marker(CellType::kDeleteFamily, "f", 1),
                                   Marker(CellType::kDeleteFamily, "g", 1)}});
  ASSERT_EQ(deletes.size(), 2U);
  EXPECT_EQ(deletes[0].columns.size(), 2U);
  EXPECT_EQ(deletes[1].columns.at(0).timestamp, 1);
}

TEST(ToGet, AsksForRawCellsByAttribute) {
  EXPECT_EQ(ToGet({.row = "r", .raw = true}).attributes.at("_raw_"), "\xff");
  EXPECT_FALSE(ToGet({.row = "r"}).__isset.attributes);
}

TEST(ToScan, LeavesColumnsOfARawScanToAFilter) {
  const thrift2::TScan scan = ToScan({.columns = {{"f", "it's"}, {"g", std::nullopt}}, .raw = true, .keys_only = true});
  ASSERT_EQ(scan.columns.size(), 2U);
  for (const thrift2::TColumn& column : scan.columns) EXPECT_FALSE(column.__isset.qualifier);
  EXPECT_EQ(scan.filterString,
            "((FamilyFilter(=, 'binary:f') AND (QualifierFilter(=, 'binary:') OR QualifierFilter(=, 'binary:it''s')))"
            " OR FamilyFilter(=, 'binary:g')) AND KeyOnlyFilter()");
  EXPECT_FALSE(ToScan({.columns = {{"f", "q"}}}).__isset.filterString);
}

TEST(ToScan, BeginsBehindAColumnInItsRowAlone) {
  const thrift2::TScan scan = ToScan({.start_row = "r", .stop_row = "s", .behind = ColumnPlace{"f", "q"}});
  EXPECT_EQ(scan.stopRow, std::string("r\0", 2));
  EXPECT_EQ(scan.filterString, "((FamilyFilter(=, 'binary:f') AND ColumnRangeFilter('q" + std::string(1, '\0') +
                                   "', true, '', false)) OR FamilyFilter(>, 'binary:f'))");
}

TEST(ToScan, OfRawCellsAsksForAllVersions) {
  EXPECT_EQ(ToScan({.max_versions = 2, .raw = true}).maxVersions, INT32_MAX);
  EXPECT_EQ(ToGet({.row = "r", .max_versions = 2, .raw = true}).maxVersions, INT32_MAX);
  EXPECT_EQ(ToScan({.max_versions = 2}).maxVersions, 2);
}

TEST(KeepVersions, CountsPutsOfEachColumn) {
  std::vector<Cell> cells = {Marker(CellType::kDelete, "f:a", 4),       PutCell("f:a", 4, "1"), PutCell("f:a", 3, "2"),
                             Marker(CellType::kDeleteColumn, "f:a", 2), PutCell("f:b", 4, "3"), PutCell("g:b", 4, "4")};
  KeepVersions(1, &cells);
  ASSERT_EQ(cells.size(), 5U);
  EXPECT_EQ(cells[2].type, CellType::kDeleteColumn);
}

TEST(ToTableName, SplitsOffTheNamespace) {
  EXPECT_EQ(ToTableName("space:table").ns, "space");
  EXPECT_EQ(ToTableName("space:table").qualifier, "table");
  EXPECT_FALSE(ToTableName("table").__isset.ns);
  EXPECT_EQ(ToTableName("table").qualifier, "table");
}

TEST(FromTableDescriptor, NamesTheCoprocessorsOfATable) {
  thrift2::TTableDescriptor table;
  table.__set_attributes({{"COPROCESSOR$2", "hdfs:///a.jar|org.example.Audit|1001|k=v"},
                          {"IS_META", "false"},
                          {"coprocessor$1", "|org.example.Index|"}});
  EXPECT_EQ(FromTableDescriptor("t", table).coprocessors,
            (std::vector<std::string>{"org.example.Audit", "org.example.Index"}));
}

}  // namespace
}  // namespace fensi::store
