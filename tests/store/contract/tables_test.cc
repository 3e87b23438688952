// Tables: create, describe, drop.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/store/contract/store_contract.h"
#include "tests/support/rich_family.h"

namespace fensi::store {
namespace {

using Tables = StoreContract;

TEST_F(Tables, ReadBackAsTheyWereCreated) {
  const std::string name = NewName();
  const FamilyDescriptor plain{.name = "plain"};
  const FamilyDescriptor rich = testing::RichFamily("all", 86400, {{"hbase.hstore.time.to.purge.deletes", "60000"}});
  ASSERT_TRUE(store().CreateTable({name, {plain, rich}}, {"m"}).ok());
  const auto table = store().DescribeTable(name);
  ASSERT_TRUE(table.ok() && table->has_value()) << table.status().ToString();
  EXPECT_EQ((*table)->name, name);
  EXPECT_EQ((*table)->families, (std::vector<FamilyDescriptor>{rich, plain}));
}

TEST_F(Tables, StartTheirRegionsAtTheSplitKeysInOrder) {
  const std::string name = NewTable({{.name = "f"}}, {"t", "g"});
  const auto starts = store().RegionStarts(name);
  ASSERT_TRUE(starts.ok()) << starts.status().ToString();
  EXPECT_EQ(*starts, (std::vector<std::string>{"", "g", "t"}));
}

TEST_F(Tables, WithoutSplitKeysAreOneRegion) {
  const auto starts = store().RegionStarts(NewTable());
  ASSERT_TRUE(starts.ok()) << starts.status().ToString();
  EXPECT_EQ(*starts, std::vector<std::string>{""});
}

TEST_F(Tables, AreNotCreatedTwice) {
  const std::string name = NewTable();
  EXPECT_EQ(store().CreateTable({name, {{.name = "f"}}}, {}).code(), StatusCode::kAlreadyExists);
}

TEST_F(Tables, LiveInNamespacesThatNeedNoPreparation) {
  const std::string name = "contract_space:" + NewName();
  ASSERT_TRUE(store().CreateTable({name, {{.name = "f"}}}, {}).ok());
  Put(name, "r", {PutCell("f:q", 1, "v")});
  EXPECT_EQ(Visible(name, "r"), "f:q@1=v");
  const auto table = store().DescribeTable(name);
  ASSERT_TRUE(table.ok() && table->has_value());
  EXPECT_EQ((*table)->name, name);
  EXPECT_TRUE(store().DropTable(name).ok());
}

TEST_F(Tables, OfTheDefaultNamespaceHaveOneNameForBothWritings) {
  const std::string name = NewName(), spaced = "default:" + name;
  ASSERT_TRUE(store().CreateTable({spaced, {{.name = "f"}}}, {}).ok());
  EXPECT_EQ(store().CreateTable({name, {{.name = "f"}}}, {}).code(), StatusCode::kAlreadyExists);
  Put(name, "r", {PutCell("f:q", 1, "v")});
  EXPECT_EQ(Visible(spaced, "r"), "f:q@1=v");
  EXPECT_EQ((*store().DescribeTable(spaced))->name, name);
  const auto names = store().TableNames();
  ASSERT_TRUE(names.ok());
  EXPECT_THAT(*names, ::testing::Contains(name));
  EXPECT_THAT(*names, ::testing::Not(::testing::Contains(spaced)));
  EXPECT_TRUE(store().DropTable(spaced).ok());
  EXPECT_EQ(store().DropTable(name).code(), StatusCode::kNotFound);
}

TEST_F(Tables, AreNamedInOrderWithoutThoseOfTheStoreItself) {
  const std::string plain = NewTable(), spaced = "contract_space:" + NewName();
  ASSERT_TRUE(store().CreateTable({spaced, {{.name = "f"}}}, {}).ok());
  const auto names = store().TableNames();
  ASSERT_TRUE(names.ok()) << names.status().ToString();
  EXPECT_THAT(*names, ::testing::IsSupersetOf({plain, spaced}));
  EXPECT_TRUE(std::is_sorted(names->begin(), names->end()));
  for (const std::string& name : *names) EXPECT_FALSE(name.starts_with("hbase:")) << name;
  ASSERT_TRUE(store().DropTable(spaced).ok());
  const auto left = store().TableNames();
  ASSERT_TRUE(left.ok());
  EXPECT_THAT(*left, ::testing::Not(::testing::Contains(spaced)));
}

TEST_F(Tables, ThatAreAbsentAreSaidToBeAbsent) {
  const auto table = store().DescribeTable("no_such_table");
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  EXPECT_FALSE(table->has_value());
  EXPECT_EQ(store().RegionStarts("no_such_table").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store().DropTable("no_such_table").code(), StatusCode::kNotFound);
}

TEST_F(Tables, ThatWereDroppedComeBackEmpty) {
  const std::string name = NewTable();
  Put(name, "r", {PutCell("f:q", 1, "v")});
  ASSERT_TRUE(store().DropTable(name).ok());
  EXPECT_EQ(Visible(name, "r").substr(0, 9), "not found");
  ASSERT_TRUE(store().CreateTable({name, {{.name = "f"}}}, {}).ok());
  EXPECT_EQ(Scan(name, {.raw = true}), "");
}

TEST_F(Tables, ThatAreMadeAgainHaveAnotherIdentity) {
  const std::string name = NewTable(), other = NewTable();
  const auto first = store().IdentityOf(name);
  ASSERT_TRUE(first.ok() && first->has_value()) << first.status().ToString();
  Put(name, "r", {PutCell("f:q", 1, "v")});
  ASSERT_TRUE(store().DropTable(other).ok());
  EXPECT_EQ(*store().IdentityOf(name), *first) << "it is the same table";
  ASSERT_TRUE(store().DropTable(name).ok());
  EXPECT_EQ(store().IdentityOf(name).status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(store().CreateTable({name, {{.name = "f"}}}, {"m"}).ok());
  const auto again = store().IdentityOf(name);
  ASSERT_TRUE(again.ok() && again->has_value()) << again.status().ToString();
  EXPECT_GT((*again)->enabled_at, (*first)->enabled_at);
  EXPECT_GT((*again)->first_region, (*first)->first_region);
}

TEST_F(Tables, OfImpossibleShapeAreRefused) {
  const std::string name = NewName();
  const std::vector<TableDescriptor> impossible = {{"two:colons:here", {{.name = "f"}}},
                                                   {"", {{.name = "f"}}},
                                                   {name, {}},
                                                   {name, {{.name = "a:b"}}},
                                                   {name, {{.name = "f"}, {.name = "f"}}},
                                                   {name, {{.name = "f", .max_versions = 0}}},
                                                   {name, {{.name = "f", .bloom_filter = "PRETTY"}}}};
  for (const TableDescriptor& table : impossible) {
    EXPECT_EQ(store().CreateTable(table, {}).code(), StatusCode::kInvalidArgument) << table.name;
  }
  EXPECT_EQ(store().CreateTable({name, {{.name = "f"}}}, {"m", "m"}).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fensi::store
