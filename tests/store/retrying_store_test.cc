#include "store/retrying_store.h"

#include <gtest/gtest.h>

#include "store/embedded/embedded_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/faulty_store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;

class RetryingStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(embedded_->CreateTable({"t", {{.name = "f"}}}, {}).ok()); }

  RetryingStore Retrying(RetryOptions options = {}) {
    options.clock = &clock_;
    return RetryingStore(&faulty_, std::move(options));
  }
  static Status PutRow(Store& store) {
    const RowMutation mutation{"r", {PutCell("f:q", 1, "v")}};
    return store.Put("t", std::span(&mutation, 1)).status();
  }

  const std::unique_ptr<EmbeddedStore> embedded_ = EmbeddedStore::Open({.in_memory = true}).value();
  FaultyStore faulty_{embedded_.get()};
  FakeClock clock_{0};
};

TEST_F(RetryingStoreTest, RepeatsUntilTheStoreIsBack) {
  for (int n = 1; n <= 20; ++n) faulty_.FailCall(n, FaultyStore::When::kBefore);
  RetryingStore store = Retrying();
  EXPECT_TRUE(PutRow(store).ok());
  EXPECT_EQ(faulty_.Calls(), 21);
}

TEST_F(RetryingStoreTest, RepeatsWhenTheReplyWasLost) {
  faulty_.FailCall(1, FaultyStore::When::kAfter);
  RetryingStore store = Retrying();
  EXPECT_TRUE(PutRow(store).ok());
  EXPECT_EQ(embedded_->Scan("t", {})->size(), 1U);
}

TEST_F(RetryingStoreTest, HandsOnACompareAndPutOnce) {
  const ConditionalPut change{{"r", {PutCell("f:q", 1, "v")}}, "f", "q", ""};
  for (const auto when : {FaultyStore::When::kBefore, FaultyStore::When::kAfter}) {
    faulty_.FailCall(1, when);
    RetryingStore store = Retrying();
    EXPECT_EQ(store.CompareAndPut("t", change).status().code(), StatusCode::kUnavailable);
    EXPECT_EQ(clock_.WallMillis(), 0);
  }
  EXPECT_EQ(faulty_.Calls(FaultyStore::Call::kCompareAndPut), 2);
  EXPECT_EQ(embedded_->Scan("t", {})->size(), 1U);
  EXPECT_FALSE(Retrying().CompareAndPut("t", change).value());
}

TEST_F(RetryingStoreTest, ReturnsAnyOtherErrorAtOnce) {
  faulty_.FailAlways(Status(StatusCode::kPermission, "no"));
  RetryingStore store = Retrying();
  EXPECT_EQ(PutRow(store).code(), StatusCode::kPermission);
  EXPECT_EQ(faulty_.Calls(), 1);
  EXPECT_EQ(clock_.WallMillis(), 0);
}

TEST_F(RetryingStoreTest, PausesLongerAndLongerUpToALimit) {
  for (int n = 1; n <= 12; ++n) faulty_.FailCall(n, FaultyStore::When::kBefore);
  std::vector<milliseconds> lasting;
  RetryingStore store = Retrying({.first_pause = milliseconds(100),
                                  .longest_pause = milliseconds(800),
                                  .on_retry = [&](const RetryState& state) { lasting.push_back(state.lasting); }});
  EXPECT_TRUE(PutRow(store).ok());
  ASSERT_EQ(lasting.size(), 12U);
  EXPECT_GE(lasting[1] - lasting[0], milliseconds(50));
  EXPECT_LE(lasting[1] - lasting[0], milliseconds(100));
  EXPECT_GE(lasting[11] - lasting[10], milliseconds(400));
  EXPECT_LE(lasting[11] - lasting[10], milliseconds(800));
}

TEST_F(RetryingStoreTest, GivesUpAtTheDeadline) {
  faulty_.FailAlways();
  RetryingStore store = Retrying({.give_up_after = milliseconds(5'000)});
  EXPECT_EQ(PutRow(store).code(), StatusCode::kUnavailable);
  EXPECT_EQ(clock_.WallMillis(), 5'000);
}

TEST_F(RetryingStoreTest, StopsWithinASecondWhenItShallNotGoOn) {
  faulty_.FailAlways();
  RetryingStore store = Retrying({.longest_pause = milliseconds(60'000), .should_go_on = [&] {
                                    return clock_.MonotonicNow() < milliseconds(90'000)
                                               ? Status()
                                               : Status(StatusCode::kCancelled, "stop");
                                  }});
  EXPECT_EQ(PutRow(store).code(), StatusCode::kCancelled);
  EXPECT_LE(clock_.MonotonicNow(), milliseconds(91'000));
  EXPECT_LE(clock_.longest_sleep(), milliseconds(1'000));
}

TEST_F(RetryingStoreTest, TellsOfTroubleAndOfItsEnd) {
  for (int n = 1; n <= 3; ++n) faulty_.FailCall(n, FaultyStore::When::kBefore);
  std::string told;
  RetryingStore store = Retrying(
      {.on_retry = [&](const RetryState& state) { told += std::to_string(state.attempts) + state.last.message(); },
       .on_recovery = [&](const RetryState& state) { told += "back after " + std::to_string(state.attempts); }});
  ASSERT_TRUE(PutRow(store).ok());
  EXPECT_EQ(told,
            "1the reply was lost (injected)2the reply was lost (injected)3the reply was lost (injected)back after 3");
  told.clear();
  ASSERT_TRUE(PutRow(store).ok());
  EXPECT_EQ(told, "");
}

TEST_F(RetryingStoreTest, TakesTheTableOfALostReplyForItsOwn) {
  faulty_.FailCall(1, FaultyStore::When::kAfter);
  RetryingStore store = Retrying();
  EXPECT_TRUE(store.CreateTable({"new", {{.name = "f"}}}, {}).ok());
  EXPECT_EQ(store.CreateTable({"new", {{.name = "f"}}}, {}).code(), StatusCode::kAlreadyExists);
  faulty_.FailCall(1, FaultyStore::When::kAfter);
  EXPECT_TRUE(store.DropTable("new").ok());
  EXPECT_EQ(store.DropTable("new").code(), StatusCode::kNotFound);
}

TEST_F(RetryingStoreTest, RepeatsReadsToo) {
  RetryingStore store = Retrying();
  const GetRequest request{.row = "r"};
  faulty_.FailCall(1, FaultyStore::When::kBefore);
  EXPECT_TRUE(store.Get("t", std::span(&request, 1)).ok());
  faulty_.FailCall(1, FaultyStore::When::kBefore);
  EXPECT_TRUE(store.Scan("t", {}).ok());
  faulty_.FailCall(1, FaultyStore::When::kBefore);
  EXPECT_TRUE(store.DescribeTable("t").ok());
  faulty_.FailCall(1, FaultyStore::When::kBefore);
  EXPECT_TRUE(store.RegionStarts("t").ok());
}

}  // namespace
}  // namespace fensi::store
