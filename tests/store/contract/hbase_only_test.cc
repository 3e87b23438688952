// What only a real HBase can do to us.
#include <algorithm>
#include <cstdlib>

#include "store/open_store.h"
#include "tests/store/contract/stack_admin.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class RealHBase : public StoreContract {
 protected:
  static Status Admin(const std::string& command) {
    const char* address = std::getenv("FENSI_TEST_ADMIN");
    return StackAdmin(address == nullptr ? "" : address).Run(command);
  }
  Result<std::vector<RejectedRow>> PutRow(const std::string& table, const std::string& column = "f:q") {
    const RowMutation mutation{"r", {PutCell(column, 1, "v")}};
    return store().Put(table, std::span(&mutation, 1));
  }
};

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

TEST_F(RealHBase, WhoseTableCameBackWithANewFamilyTakesIt) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("drop " + table).ok());
  ASSERT_TRUE(Admin("create " + table + " new").ok());
  const auto rejected = PutRow(table, "new:q");
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_TRUE(rejected->empty());
}

TEST_F(RealHBase, SplitUnderUsLosesNothing) {
  const std::string table = NewTable();
  std::vector<RowMutation> rows;
  for (char row = 'a'; row <= 'z'; ++row) rows.push_back({std::string(1, row), {PutCell("f:q", 1, "v")}});
  ASSERT_TRUE(store().Put(table, rows).ok());
  ASSERT_TRUE(Admin("split " + table + " 6d").ok());  // at "m"
  EXPECT_EQ(store().RegionStarts(table).value(), (std::vector<std::string>{"", "m"}));
  ASSERT_TRUE(store().Put(table, rows).ok());
  EXPECT_EQ(store().Scan(table, {})->size(), rows.size());
}

}  // namespace
}  // namespace fensi::store
