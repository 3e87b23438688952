// What only a real HBase can do to a client, whichever protocol it speaks.
#include "tests/store/contract/real_hbase.h"

#include <algorithm>

namespace fensi::store {
namespace {

TEST_F(RealHBase, CanAllThatIsAskedOfItAtStartAndKeepsNothingOfIt) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  const Status status = store().CheckServer(table);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Scan(table, {.max_versions = 9, .raw = true}), "r: f:q@1=v\n");
}

TEST_F(RealHBase, WithADisabledTableIsUnavailableUntilItIsEnabled) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("disable " + table).ok());
  EXPECT_EQ(PutRow(table).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(store().Scan(table, {}).status().code(), StatusCode::kUnavailable);
  ASSERT_TRUE(Admin("enable " + table).ok());
  EXPECT_TRUE(PutRow(table).ok());
}

TEST_F(RealHBase, WhoseTableWasDroppedBySomebodyElseIsNotFound) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("drop " + table).ok());
  EXPECT_EQ(PutRow(table).status().code(), StatusCode::kNotFound);
  const GetRequest request{.row = "r"};
  EXPECT_EQ(store().Get(table, std::span(&request, 1)).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store().Scan(table, {}).status().code(), StatusCode::kNotFound);
}

TEST_F(RealHBase, WhoseTableCameBackWithoutAFamilyNeedsAPerson) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table, "g:q").ok());
  ASSERT_TRUE(Admin("drop " + table).ok());
  ASSERT_TRUE(Admin("create " + table + " f").ok());
  std::vector<RowMutation> rows;
  for (int i = 0; i < 20; ++i) rows.push_back({std::to_string(i), {PutCell(i == 7 ? "g:q" : "f:q", 1, "v")}});
  const Status status = store().Put(table, rows).status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
  EXPECT_NE(status.message().find("has no family g"), std::string::npos) << status.message();
}

TEST_F(RealHBase, ReadsARowThatIsLargerThanHBaseReadsAtOnceInPieces) {
  constexpr int kColumns = 200;
  const std::string table = NewTable();
  ASSERT_TRUE(Admin("alter " + table + " - hbase.table.max.rowsize 20000").ok());
  std::vector<Cell> cells;
  for (int i = 0; i < kColumns; ++i) cells.push_back(PutCell("f:" + std::to_string(i), 1, std::string(500, 'v')));
  Put(table, "wide", cells);
  Put(table, "x", {PutCell("f:q", 1, "v")});
  const std::vector<GetRequest> requests = {{.row = "x"}, {.row = "wide"}};
  const auto rows = store().Get(table, requests);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->at(0).cells.size(), 1U);
  EXPECT_EQ(rows->at(1).cells.size(), static_cast<size_t>(kColumns));
  const auto scanned = store().Scan(table, {});
  ASSERT_TRUE(scanned.ok()) << scanned.status().ToString();
  EXPECT_EQ(*scanned, (std::vector<Row>{rows->at(1), rows->at(0)}));
}

TEST_F(RealHBase, ThatIsReadOnlyIsWaitedForAndBlamesNoRow) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("alter " + table + " - READONLY true").ok());
  const Status refused = PutRow(table).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnavailable) << refused.ToString();
  ASSERT_TRUE(Admin("alter " + table + " - READONLY false").ok());
  EXPECT_TRUE(PutRow(table).ok());
}

TEST_F(RealHBase, SplitUnderUsLosesNothing) {
  const std::string table = NewTable();
  std::vector<RowMutation> rows;
  std::vector<GetRequest> requests;
  for (char row = 'a'; row <= 'z'; ++row) {
    rows.push_back({std::string(1, row), {PutCell("f:q", 1, "v")}});
    requests.push_back({.row = std::string(1, row)});
  }
  ASSERT_TRUE(store().Put(table, rows).ok());
  ASSERT_TRUE(Admin("split " + table + " 6d").ok());  // at "m"
  EXPECT_EQ(store().RegionStarts(table).value(), (std::vector<std::string>{"", "m"}));
  const auto got = store().Get(table, requests);
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  EXPECT_TRUE(std::all_of(got->begin(), got->end(), [](const Row& row) { return row.cells.size() == 1; }));
  ASSERT_TRUE(store().Put(table, rows).ok());
  EXPECT_EQ(store().Scan(table, {})->size(), rows.size());
}

}  // namespace
}  // namespace fensi::store
