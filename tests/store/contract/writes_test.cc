// Put and Delete: batches, order, rows that are refused.
#include <algorithm>

#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using Writes = StoreContract;

std::string IndexesOf(const std::vector<RejectedRow>& rejected) {
  std::string text;
  for (const RejectedRow& row : rejected) text += std::to_string(row.index) + " ";
  return text;
}

TEST_F(Writes, OfNothingAreTaken) {
  const std::string table = NewTable();
  EXPECT_TRUE(store().Put(table, {}).ok());
  EXPECT_TRUE(store().Delete(table, {}).ok());
}

TEST_F(Writes, MayBeRepeatedAsTheyWere) {
  const std::string table = NewTable();
  for (int i = 0; i < 2; ++i) {
    Put(table, "r", {PutCell("g:q", 5, "v")});
    Delete(table, "r", {Marker(CellType::kDeleteColumn, "g:q", 3)});
  }
  EXPECT_EQ(Raw(table, "r"), "g:q@5=v, g:q@3 delete_column");
}

TEST_F(Writes, OfTheSameCellTwiceInABatchKeepTheLater) {
  const std::string table = NewTable();
  const std::vector<RowMutation> rows = {{"r", {PutCell("f:q", 5, "first"), PutCell("f:q", 5, "second")}},
                                         {"other", {PutCell("f:q", 5, "v")}},
                                         {"r", {PutCell("f:q", 5, "third")}}};
  ASSERT_TRUE(store().Put(table, rows).ok());
  EXPECT_EQ(Raw(table, "r"), "f:q@5=third");
}

TEST_F(Writes, OfOneRowStayInOrderInABatchOfAnySize) {
  const std::string table = NewTable();
  std::vector<RowMutation> rows;
  for (int i = 0; i < 6000; ++i) {
    rows.push_back({i % 3 == 0 ? "hot" : "cold" + std::to_string(i), {PutCell("f:q", 5, std::to_string(i))}});
  }
  ASSERT_TRUE(store().Put(table, rows).ok());
  EXPECT_EQ(Raw(table, "hot"), "f:q@5=5997");
}

TEST_F(Writes, NameTheRowsTheyRefuseAndTakeAllOthers) {
  const std::string table = NewTable();
  const std::vector<RowMutation> rows = {{"a", {PutCell("f:q", 1, "v")}},
                                         {"", {PutCell("f:q", 1, "v")}},
                                         {"b", {PutCell("f:q", -1, "v")}},
                                         {"c", {PutCell("f:q", 1, std::string(kMaxValueBytes + 1, 'v'))}},
                                         {std::string(kMaxRowBytes + 1, 'r'), {PutCell("f:q", 1, "v")}},
                                         {"d", {}},
                                         {"e", {Marker(CellType::kDelete, "f:q", 1)}},
                                         {"z", {PutCell("f:q", 1, "v")}}};
  const auto rejected = store().Put(table, rows);
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_EQ(IndexesOf(*rejected), "1 2 3 4 5 6 ");
  EXPECT_EQ(Scan(table, {}), "a: f:q@1=v\nz: f:q@1=v\n");
}

TEST_F(Writes, NameTableRowAndColumnOfARefusedRow) {
  const std::string table = NewTable();
  const std::vector<RowMutation> rows = {{"row\x01", {PutCell("f:q", -1, "v")}}};
  const auto rejected = store().Put(table, rows);
  ASSERT_TRUE(rejected.ok() && rejected->size() == 1);
  const Status& reason = rejected->front().reason;
  EXPECT_EQ(reason.code(), StatusCode::kRejected);
  for (const std::string& part : {table, std::string("row\\x01"), std::string("f:q")}) {
    EXPECT_NE(reason.message().find(part), std::string::npos) << reason.message();
  }
}

TEST_F(Writes, OfAFamilyThatTheTableLacksNeedAPerson) {
  const std::string table = NewTable();
  const std::vector<RowMutation> puts = {{"a", {PutCell("f:q", 1, "v")}}, {"row\x01", {PutCell("nofamily:q", 1, "v")}}};
  const Status put = store().Put(table, puts).status();
  EXPECT_EQ(put.code(), StatusCode::kConfiguration);
  for (const std::string& part : {table, std::string("row\\x01"), std::string("nofamily:q")}) {
    EXPECT_NE(put.message().find(part), std::string::npos) << put.message();
  }
  const std::vector<RowMutation> deletes = {{"b", {Marker(CellType::kDeleteFamily, "nofamily", 1)}}};
  EXPECT_EQ(store().Delete(table, deletes).status().code(), StatusCode::kConfiguration);
}

TEST_F(Writes, OfDeletesRefuseWhatIsNoDelete) {
  const std::string table = NewTable();
  const std::vector<RowMutation> rows = {{"b", {Marker(CellType::kDeleteColumn, "f:q", 1)}},
                                         {"c", {PutCell("f:q", 1, "v")}}};
  const auto rejected = store().Delete(table, rows);
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_EQ(IndexesOf(*rejected), "1 ");
  EXPECT_EQ(Raw(table, "b"), "f:q@1 delete_column");
}

TEST_F(Writes, ToAnAbsentTableAreNotFound) {
  const std::vector<RowMutation> puts = {{"a", {PutCell("f:q", 1, "v")}}};
  const std::vector<RowMutation> deletes = {{"a", {Marker(CellType::kDelete, "f:q", 1)}}};
  EXPECT_EQ(store().Put("no_such_table", puts).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store().Delete("no_such_table", deletes).status().code(), StatusCode::kNotFound);
}

TEST_F(Writes, TakeTheLongestRow) {
  const std::string table = NewTable();
  const std::string row(kMaxRowBytes, 'r');
  Put(table, row, {PutCell("f:q", 1, "v")});
  EXPECT_EQ(Visible(table, row), "f:q@1=v");
  Delete(table, row, {Marker(CellType::kDeleteColumn, "f:q", 1)});
  EXPECT_EQ(Visible(table, row), "");
}

TEST_F(Writes, TakeAValueOfMegabytes) {
  const std::string table = NewTable();
  const std::string value(5 << 20, 'v');
  Put(table, "r", {PutCell("f:q", 1, value)});
  const auto rows = store().Scan(table, {});
  ASSERT_TRUE(rows.ok() && rows->size() == 1) << rows.status().ToString();
  EXPECT_TRUE(rows->front().cells.front().value == value);
}

TEST_F(Writes, TakeEmptyQualifiersAndValues) {
  const std::string table = NewTableWith("r", {PutCell("f:", 1, "")});
  EXPECT_EQ(Visible(table, "r"), "f:@1=");
}

TEST_F(Writes, OfTwoThousandRowsAreAllThere) {
  const std::string table = NewTable();
  std::vector<RowMutation> rows;
  for (int i = 0; i < 2000; ++i)
    rows.push_back({"row" + std::to_string(i), {PutCell("f:a", 1, "v"), PutCell("g:b", 1, "v")}});
  ASSERT_TRUE(store().Put(table, rows).ok());
  const auto found = store().Scan(table, {.max_rows = 5000});
  ASSERT_TRUE(found.ok()) << found.status().ToString();
  EXPECT_EQ(found->size(), rows.size());
  EXPECT_TRUE(std::all_of(found->begin(), found->end(), [](const Row& row) { return row.cells.size() == 2; }));
}

}  // namespace
}  // namespace fensi::store
