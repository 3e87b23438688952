#include "tests/doubles/faulty_store.h"

#include <gtest/gtest.h>

#include "store/embedded/embedded_store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class FaultyStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(behind_->CreateTable({"t", {{.name = "f"}}}, {}).ok()); }
  Status PutRow(const std::string& row) {
    const RowMutation mutation{row, {PutCell("f:q", 1, "v")}};
    return store_.Put("t", std::span(&mutation, 1)).status();
  }
  size_t RowsBehind() { return behind_->Scan("t", {})->size(); }

  std::unique_ptr<EmbeddedStore> behind_ = EmbeddedStore::Open({.in_memory = true}).value();
  FaultyStore store_{behind_.get()};
};

TEST_F(FaultyStoreTest, FailsTheNthCallBeforeItReachesTheStore) {
  store_.FailCall(2, FaultyStore::When::kBefore);
  EXPECT_TRUE(PutRow("a").ok());
  EXPECT_EQ(PutRow("b").code(), StatusCode::kUnavailable);
  EXPECT_TRUE(PutRow("c").ok());
  EXPECT_EQ(RowsBehind(), 2U);
}

TEST_F(FaultyStoreTest, LosesTheReplyOfACallThatWasDone) {
  store_.FailCall(1, FaultyStore::When::kAfter);
  EXPECT_EQ(PutRow("a").code(), StatusCode::kUnavailable);
  EXPECT_EQ(RowsBehind(), 1U);
}

TEST_F(FaultyStoreTest, CountsCallsByKind) {
  store_.FailCall(1, FaultyStore::When::kBefore, {}, FaultyStore::Call::kScan);
  EXPECT_TRUE(PutRow("a").ok());
  EXPECT_FALSE(store_.Scan("t", {}).ok());
  EXPECT_EQ(store_.Calls(FaultyStore::Call::kPut), 1);
  EXPECT_EQ(store_.Calls(), 2);
}

TEST_F(FaultyStoreTest, FailsUntilItIsHealed) {
  store_.FailAlways();
  EXPECT_FALSE(PutRow("a").ok());
  EXPECT_FALSE(PutRow("a").ok());
  store_.Heal();
  EXPECT_TRUE(PutRow("a").ok());
}

TEST_F(FaultyStoreTest, LetsAnObserverRefuseACall) {
  store_.SetObserver([](FaultyStore::Call, const std::string& table) {
    return table == "t" ? Status(StatusCode::kFenced, "not now") : Status();
  });
  EXPECT_EQ(PutRow("a").code(), StatusCode::kFenced);
  EXPECT_EQ(RowsBehind(), 0U);
}

}  // namespace
}  // namespace fensi::store
