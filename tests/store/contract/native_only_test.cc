// What only a real HBase can do to a client of its own RPC.
#include <limits>

#include "tests/store/contract/real_hbase.h"

namespace fensi::store {
namespace {

TEST_F(RealHBase, NamesATableThatIsDisabled) {
  const std::string table = NewTable();
  ASSERT_TRUE(Admin("disable " + table).ok());
  const Status scanned = store().Scan(table, {}).status();
  EXPECT_NE(scanned.message().find("is disabled"), std::string::npos) << scanned.message();
  ASSERT_TRUE(Admin("enable " + table).ok());
}

TEST_F(RealHBase, ReadsARowOfMoreCellsThanAGetBrings) {
  constexpr int kColumns = 12'000;
  const std::string table = NewTable();
  RowMutation wide{"wide", {}};
  for (int i = 0; i < kColumns; ++i) wide.cells.push_back(PutCell("g:" + std::to_string(100'000 + i), 1, "v"));
  ASSERT_TRUE(store().Put(table, std::span(&wide, 1)).ok());
  const GetRequest request{.row = "wide"};
  const auto rows = store().Get(table, std::span(&request, 1));
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->front().cells, wide.cells);
}

TEST_F(RealHBase, FindsTheRowThatHBaseRefusesAmongMany) {
  const std::string table = NewTable();
  ASSERT_TRUE(Admin("alter " + table + " - hbase.hregion.keyvalue.timestamp.slop.millisecs 1000").ok());
  std::vector<RowMutation> rows;
  for (int i = 0; i < 300; ++i) {
    rows.push_back(
        {std::to_string(1000 + i), {PutCell("f:q", i == 170 ? std::numeric_limits<int64_t>::max() / 2 : 1, "v")}});
  }
  const auto rejected = store().Put(table, rows);
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  ASSERT_EQ(rejected->size(), 1U);
  EXPECT_EQ(rejected->front().index, 170U);
  EXPECT_EQ(rejected->front().reason.code(), StatusCode::kRejected);
  EXPECT_EQ(store().Scan(table, {})->size(), rows.size() - 1);
}

}  // namespace
}  // namespace fensi::store
