// HBaseStore against scripted gateways: what a real one does too rarely to be tested with.
#include <gmock/gmock.h>

#include <algorithm>
#include <condition_variable>
#include <future>

#include "store/open_store.h"
#include "tests/store/contract/store_contract.h"
#include "tests/store/hbase/fake_gateway.h"

namespace fensi::store {
namespace {

using testing::HasSubstr;

std::vector<RowMutation> Rows(int count) {
  std::vector<RowMutation> rows;
  for (int i = 0; i < count; ++i) rows.push_back({"row" + std::to_string(i), {PutCell("f:q", 1, "v")}});
  return rows;
}

bool Contains(const std::vector<thrift2::TPut>& puts, const std::string& row) {
  return std::any_of(puts.begin(), puts.end(), [&](const thrift2::TPut& put) { return put.row == row; });
}

TEST(HBaseStore, FindsTheRowsThatHBaseRejectsAndWritesTheOthers) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (Contains(puts, "row17") || Contains(puts, "row80")) throw GatewayError("Failed: NoSuchColumnFamilyException");
  };
  const auto rejected = gateway.Store()->Put("t", Rows(100));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  ASSERT_EQ(rejected->size(), 2U);
  EXPECT_EQ((*rejected)[0].index, 17U);
  EXPECT_EQ((*rejected)[1].index, 80U);
  EXPECT_THAT((*rejected)[1].reason.ToString(), HasSubstr("rejected: table t, row row80, column f:q"));
  EXPECT_EQ(gateway.handler().Rows().size(), 98U);
}

TEST(HBaseStore, OneBadRowInAThousandCostsAboutADozenCallsAndNothingElse) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (Contains(puts, "row617")) throw GatewayError("Failed: NoSuchColumnFamilyException");
  };
  const auto store = gateway.Store();
  const auto rejected = store->Put("t", Rows(1000));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  ASSERT_EQ(rejected->size(), 1U);
  EXPECT_EQ((*rejected)[0].index, 617U);
  EXPECT_EQ(gateway.handler().Rows().size(), 999U);
  std::printf("%d calls instead of 1, 999 rows written, 1 rejected\n", gateway.handler().PutCalls());
  EXPECT_LE(gateway.handler().PutCalls(), 1 + 12);
}

TEST(HBaseStore, ManyBadRowsCostNoMoreCallsThanHalvingAllOfThem) {
  constexpr int kRows = 64;
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto&) { throw GatewayError("Failed: NoSuchColumnFamilyException"); };
  EXPECT_EQ(gateway.Store()->Put("t", Rows(kRows))->size(), static_cast<size_t>(kRows));
  const int alone_and_again = 2 * kRows, inner = kRows - 1, search = 6;
  EXPECT_LE(gateway.handler().PutCalls(), alone_and_again + inner + search);
}

TEST(HBaseStore, WhoLostTheRightSendsNoRequestThatStillWaits) {
  FakeGateway gateway;
  std::atomic<bool> lost = false;
  const auto store = gateway.Store();
  const auto asking =
      store->Asking([&] { return lost ? Status(StatusCode::kFenced, "the partition is no longer ours") : Status(); });
  gateway.handler().on_put = [&](const auto&) { lost = true; };
  EXPECT_EQ(asking->Put("t", Rows(5000)).status().code(), StatusCode::kFenced);
  EXPECT_EQ(gateway.handler().PutCalls(), 1) << "only what was on its way";
  EXPECT_TRUE(store->Put("t", Rows(1)).ok()) << "the store itself asks nobody";
}

TEST(HBaseStore, RejectsARowThatBreaksTheGatewayOnlyWhenTheGatewayWorks) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (Contains(puts, "row3")) throw std::runtime_error("IllegalArgumentException");
  };
  const auto store = gateway.Store();
  EXPECT_EQ(store->Put("t", Rows(5))->size(), 1U);
  gateway.handler().on_get = [](auto&, const auto&) { throw std::runtime_error("shutting down"); };
  EXPECT_EQ(store->Put("t", Rows(5)).status().code(), StatusCode::kUnavailable);
}

TEST(HBaseStore, DoesNotRejectARowThatPassesTheSecondTime) {
  FakeGateway gateway;
  std::atomic<int> faults = 1;
  gateway.handler().on_put = [&](const auto&) {
    if (faults-- > 0) throw std::runtime_error("a moment of weakness");
  };
  const auto rejected = gateway.Store()->Put("t", Rows(1));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_TRUE(rejected->empty());
}

TEST(HBaseStore, TellsAnAbsentTableFromOneThatIsAway) {
  FakeGateway gateway;
  const auto store = gateway.Store();
  gateway.handler().on_put = [](const auto&) { throw GatewayError("Failed 3 actions: t: 3 times"); };
  EXPECT_EQ(store->Put("t", Rows(3)).status().code(), StatusCode::kUnavailable);
  gateway.handler().table_exists = false;
  EXPECT_EQ(store->Put("t", Rows(3)).status().code(), StatusCode::kNotFound);
}

TEST(HBaseStore, SharesALargeBatchAmongItsConnections) {
  FakeGateway gateway;
  std::mutex mu;
  std::condition_variable all_here;
  int here = 0;
  gateway.handler().on_put = [&](const auto&) {
    std::unique_lock lock(mu);
    ++here;
    all_here.notify_all();
    all_here.wait_for(lock, std::chrono::seconds(60), [&] { return here >= 4; });
  };
  ASSERT_TRUE(gateway.Store(4)->Put("t", Rows(2000)).ok());
  EXPECT_EQ(here, 4);
  EXPECT_EQ(gateway.handler().Rows().size(), 2000U);
}

TEST(HBaseStore, AsksForTheFamiliesOnceAndAgainForAnUnknownOne) {
  FakeGateway gateway;
  const auto store = gateway.Store();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store->Put("t", Rows(1)).ok());
  EXPECT_EQ(gateway.handler().described, 1);
  const std::vector<RowMutation> strange = {{"a", {PutCell("x:q", 1, "")}}, {"b", {PutCell("x:q", 1, "")}}};
  EXPECT_EQ(store->Put("t", strange)->size(), 2U);
  EXPECT_EQ(gateway.handler().described, 2);
}

TEST(HBaseStore, WaitsNoLongerThanTheTimeoutAndThenConnectsAnew) {
  FakeGateway gateway;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  gateway.handler().on_get = [released](auto&, const auto&) { released.wait(); };
  const auto store = gateway.Store(1, std::chrono::milliseconds(2'000));
  const GetRequest request{.row = "r"};
  EXPECT_EQ(store->Get("t", std::span(&request, 1)).status().code(), StatusCode::kUnavailable);
  release.set_value();
  EXPECT_TRUE(store->Get("t", std::span(&request, 1)).ok());
}

TEST(HBaseStore, DistrustsAnAnswerOfTheWrongLength) {
  FakeGateway gateway;
  gateway.handler().on_get = [](auto& answer, const auto&) { answer.clear(); };
  const GetRequest request{.row = "r"};
  EXPECT_EQ(gateway.Store()->Get("t", std::span(&request, 1)).status().code(), StatusCode::kUnavailable);
}

TEST(HBaseStore, NamesTheGatewayThatCannotBeReached) {
  const auto store = OpenStore("hbase://127.0.0.1:1", {.connections = 1});
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  const Status status = (*store)->Put("t", Rows(1)).status();
  EXPECT_THAT(status.ToString(), HasSubstr("unavailable: gateway 127.0.0.1:1: is there a table t?"));
}

TEST(HBaseStore, RefusesOptionsOutOfRange) {
  for (int connections : {0, -1, 1000}) {
    EXPECT_EQ(HBaseStore::Open({.host = "h", .connections = connections}).status().code(),
              StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(HBaseStore::Open({.host = "h", .call_timeout = std::chrono::milliseconds(0)}).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fensi::store
