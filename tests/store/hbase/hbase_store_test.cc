// HBaseStore against scripted gateways: what a real one does too rarely to be tested with.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <netdb.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <future>
#include <thread>

#include "store/check.h"
#include "store/hbase/calls/server_check.h"
#include "store/open_store.h"
#include "store/retrying_store.h"
#include "tests/store/contract/store_contract.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

std::vector<RowMutation> Rows(int count) {
  std::vector<RowMutation> rows;
  for (int i = 0; i < count; ++i) rows.push_back({"row" + std::to_string(i), {PutCell("f:q", 1, "v")}});
  return rows;
}

bool Contains(const std::vector<thrift2::TPut>& puts, const std::string& row) {
  return std::any_of(puts.begin(), puts.end(), [&](const thrift2::TPut& put) { return put.row == row; });
}

/// Is a small cell that shows whether the region takes writes.
bool IsTrial(const std::vector<thrift2::TPut>& puts) {
  return puts.at(0).columnValues.at(0).qualifier == kProbeQualifier;
}

std::vector<RowMutation> Deletes(int count) {
  std::vector<RowMutation> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back({"row" + std::to_string(i), {Marker(CellType::kDeleteColumn, "f:q", 1)}});
  }
  return rows;
}

/// HBase's words for a fault of a row.
constexpr const char* kTooLarge = "DoNotRetryIOException: Cell[…] with size 20 exceeds limit of 10 bytes";

TEST(HBaseStore, FindsTheRowsThatHBaseRejectsAndWritesTheOthers) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (!IsTrial(puts) && (Contains(puts, "row17") || Contains(puts, "row80"))) throw GatewayError(kTooLarge);
  };
  const auto rejected = gateway.Store()->Put("t", Rows(100));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  ASSERT_EQ(rejected->size(), 2U);
  EXPECT_EQ((*rejected)[0].index, 17U);
  EXPECT_EQ((*rejected)[1].index, 80U);
  EXPECT_THAT((*rejected)[1].reason.ToString(), HasSubstr("rejected: table t, row row80, column f:q"));
  EXPECT_EQ(gateway.handler().Rows().size(), 98U);
}

TEST(HBaseStore, OneBadRowInAThousandCostsFourteenCallsMoreAndNothingElse) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (!IsTrial(puts) && Contains(puts, "row617")) throw GatewayError(kTooLarge);
  };
  const auto store = gateway.Store();
  const auto rejected = store->Put("t", Rows(1000));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  ASSERT_EQ(rejected->size(), 1U);
  EXPECT_EQ((*rejected)[0].index, 617U);
  EXPECT_EQ(gateway.handler().Rows().size(), 999U);
  std::printf("%d calls instead of 1, 999 rows written, 1 rejected\n", gateway.handler().PutCalls());
  EXPECT_LE(gateway.handler().PutCalls(), 1 + 14);
}

TEST(HBaseStore, ManyBadRowsCostNoMoreCallsThanHalvingAllOfThem) {
  constexpr int kRows = 64;
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (!IsTrial(puts)) throw GatewayError(kTooLarge);
  };
  EXPECT_EQ(gateway.Store()->Put("t", Rows(kRows))->size(), static_cast<size_t>(kRows));
  const int alone_and_again = 2 * kRows, trials = 2 * kRows, inner = kRows - 1, search = 6;
  EXPECT_LE(gateway.handler().PutCalls(), alone_and_again + trials + inner + search);
}

TEST(HBaseStore, WhoLostTheRightSendsNoRequestThatStillWaits) {
  std::atomic<bool> lost = false;
  FakeGateway gateway;
  const auto store = gateway.Store();
  const auto asking =
      store->Guarded([&] { return lost ? Status(StatusCode::kFenced, "the partition is no longer ours") : Status(); });
  gateway.handler().on_put = [&](const auto&) { lost = true; };
  EXPECT_EQ(asking->Put("t", Rows(5000)).status().code(), StatusCode::kFenced);
  EXPECT_EQ(gateway.handler().PutCalls(), 1) << "only what was on its way";
  EXPECT_TRUE(store->Put("t", Rows(1)).ok()) << "the store itself asks nobody";
}

TEST(HBaseStore, WhoLostTheRightReadsNothing) {
  std::atomic<int> calls = 0;
  FakeGateway gateway;
  const auto store = gateway.Store();
  ASSERT_TRUE(store->Put("t", Rows(1)).ok()) << "what a first call needs besides is done";
  gateway.handler().on_call = [&] { ++calls; };
  const auto asking = store->Guarded([&] {
    for (int i = 0; i < 30 && calls == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return Status(StatusCode::kFenced, "no longer ours");
  });
  const GetRequest request{.row = "a"};
  EXPECT_EQ(asking->Get("t", {&request, 1}).status().code(), StatusCode::kFenced);
  EXPECT_EQ(calls, 0) << "asked only when the request was sent";
}

// Each of these rows is a request of its own, of one call of ours.
TEST(HBaseStore, WhoLostTheRightSendsNoFurtherRowOfSeveralMarkers) {
  std::atomic<bool> lost = false;
  std::atomic<int> calls = 0;
  FakeGateway gateway;
  const auto store = gateway.Store();
  ASSERT_TRUE(store->Put("t", Rows(1)).ok()) << "what a first call needs besides is done";
  const auto asking = store->Guarded([&] { return lost ? Status(StatusCode::kFenced, "no longer ours") : Status(); });
  std::vector<RowMutation> rows;
  for (const char* row : {"a", "b", "c"}) {
    rows.push_back({row,
                    {{.family = "f", .qualifier = "q", .timestamp = 3, .type = CellType::kDelete},
                     {.family = "f", .timestamp = 2, .type = CellType::kDeleteFamily}}});
  }
  gateway.handler().on_call = [&] {
    ++calls;
    lost = true;
  };
  EXPECT_EQ(asking->Delete("t", rows).status().code(), StatusCode::kFenced);
  EXPECT_EQ(calls, 1);
}

TEST(HBaseStore, RejectsARowThatBreaksTheGatewayOnlyWhenTheGatewayWorks) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (Contains(puts, "row3") && !IsTrial(puts)) throw std::runtime_error("IllegalArgumentException");
  };
  const auto store = gateway.Store();
  EXPECT_EQ(store->Put("t", Rows(5))->size(), 1U);
  gateway.handler().on_put = [](const auto& puts) {
    if (IsTrial(puts) || Contains(puts, "row3")) throw std::runtime_error("shutting down");
  };
  EXPECT_EQ(store->Put("t", Rows(5)).status().code(), StatusCode::kUnavailable);
}

/// What HBase and its gateway say when the table, and not a row, is at fault.
constexpr const char* kTableFaults[] = {
    "Failed 3 actions: org.apache.hadoop.hbase.DoNotRetryIOException: region is read only: 3 times",
    "org.apache.hadoop.hbase.DoNotRetryIOException: Coprocessor: 'Guard' threw: 'not now'",
    "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException: something that is not listed",
    "Failed 3 actions: Over memstore limit=512.0K: 3 times, RegionTooBusyException"};

TEST(HBaseStore, NeverBlamesARowForTheTroubleOfItsTable) {
  for (const char* fault : kTableFaults) {
    FakeGateway gateway;
    gateway.handler().on_put = [&](const auto&) { throw GatewayError(fault); };
    gateway.handler().on_delete = [&](const auto&) { throw GatewayError(fault); };
    const auto store = gateway.Store();
    for (const int count : {1, 3}) {
      EXPECT_EQ(store->Put("t", Rows(count)).status().code(), StatusCode::kUnavailable) << fault;
      EXPECT_EQ(store->Delete("t", Deletes(count)).status().code(), StatusCode::kUnavailable) << fault;
    }
    gateway.handler().on_put = nullptr;
    gateway.handler().on_delete = nullptr;
    EXPECT_TRUE(store->Put("t", Rows(3)).ok()) << fault;
    EXPECT_TRUE(store->Delete("t", Deletes(3)).ok()) << fault;
  }
}

TEST(HBaseStore, NeverBlamesARowWhoseRegionTakesNoSmallWrite) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (Contains(puts, "row3")) throw GatewayError(IsTrial(puts) ? "region is read only" : kTooLarge);
  };
  EXPECT_EQ(gateway.Store()->Put("t", Rows(5)).status().code(), StatusCode::kUnavailable);
}

TEST(HBaseStore, NeverBlamesAllRowsOfACallForAFaultWithoutAReason) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (!IsTrial(puts)) throw std::runtime_error("no reason");
  };
  const auto rejected = gateway.Store()->Put("t", Rows(4));
  EXPECT_EQ(rejected.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(rejected.status().message(), HasSubstr("the gateway refused all 4 rows of a batch for table t"));
}

TEST(HBaseStore, WaitsForATimestampThatIsAheadOfHBaseAndRefusesOneThatIsFarAhead) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto& puts) {
    if (!IsTrial(puts)) throw GatewayError("FailedSanityCheckException: Timestamp for KV out of range (too.new=10000)");
  };
  const auto store = gateway.Store();
  const int64_t now = SystemClock()->WallMillis();
  const RowMutation soon{"r", {PutCell("f:q", now + 20'000, "v")}};
  EXPECT_EQ(store->Put("t", {&soon, 1}).status().code(), StatusCode::kUnavailable);
  const RowMutation never{"r", {PutCell("f:q", now + 1'000'000'000'000, "v")}};
  EXPECT_EQ(store->Put("t", {&never, 1})->size(), 1U);
}

TEST(HBaseStore, NeedsAPersonWhenTheTableWasMadeAgainWithAnotherFamily) {
  FakeGateway gateway;
  const auto store = gateway.Store();
  const GetRequest request{.row = "r", .columns = {{"f", std::nullopt}}};
  ASSERT_TRUE(store->Put("t", Rows(3)).ok());
  gateway.handler().MakeAgain("g");
  const Status status = store->Put("t", Rows(3)).status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("table t has no family f"));
  gateway.handler().MakeAgain("f");
  ASSERT_TRUE(store->Get("t", {&request, 1}).ok());
  gateway.handler().MakeAgain("g");
  EXPECT_EQ(store->Get("t", {&request, 1}).status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(store->Delete("t", Deletes(3)).status().code(), StatusCode::kConfiguration);
}

TEST(HBaseStore, TellsATableOnlyWhileItIsEnabledAndStandsStill) {
  FakeGateway gateway;
  const auto store = gateway.Store();
  EXPECT_EQ(**store->IdentityOf("t"), (TableIdentity{5, 7}));
  gateway.handler().table_state = std::string("\x08\x01", 2);
  EXPECT_THAT(store->IdentityOf("t").status().ToString(), HasSubstr("table t is disabled, or changes its state now"));
  gateway.handler().table_state = std::string("\x08\x00", 2);
  gateway.handler().state_moves = true;
  EXPECT_THAT(store->IdentityOf("t").status().ToString(),
              HasSubstr("table t was created, dropped or enabled while fensi read its state"));
  EXPECT_EQ(store->IdentityOf("t").status().code(), StatusCode::kUnavailable);
  gateway.handler().state_moves = false;
  for (int i = 0; i < 2500; ++i) gateway.handler().regions.push_back("t,zz" + std::to_string(10'000 - i) + ",9.d.");
  std::sort(gateway.handler().regions.begin(), gateway.handler().regions.end());
  gateway.handler().regions.push_back("t,zzz,3.e.");
  EXPECT_EQ((*store->IdentityOf("t"))->first_region, 3) << "on the last page";
  gateway.handler().regions = {"t"};
  EXPECT_EQ(store->IdentityOf("t").status().code(), StatusCode::kUnavailable) << "it has no region yet";
  EXPECT_EQ(store->IdentityOf("u").status().code(), StatusCode::kNotFound);
  gateway.handler().on_call = [] { throw GatewayError("AccessDeniedException: no READ on hbase:meta"); };
  EXPECT_EQ(store->IdentityOf("t").status().code(), StatusCode::kPermission);
}

TEST(HBaseStore, AsksNothingMoreAfterATimeout) {
  std::atomic<int> calls = 0;
  FakeGateway gateway;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  const auto store = gateway.Store(1, std::chrono::milliseconds(300));
  ASSERT_TRUE(RetryingStore(store.get(), {}).Put("t", Rows(1)).ok());
  gateway.handler().on_call = [&, released] {
    ++calls;
    released.wait();
  };
  const Status status = store->Put("t", Rows(1)).status();
  EXPECT_THAT(status.ToString(), HasSubstr("put of 1 row in table t: no answer within 300 ms"));
  EXPECT_EQ(calls, 1);
  release.set_value();
}

TEST(HBaseStore, KeepsTheDescriptionAfterAFailedCall) {
  FakeGateway gateway;
  const auto store = gateway.Store();
  ASSERT_TRUE(store->Put("t", Rows(1)).ok());
  gateway.handler().on_get = [](auto&, const auto&) { throw GatewayError("NotServingRegionException"); };
  gateway.handler().on_scan = [](auto&, const auto&) { throw GatewayError("NotServingRegionException"); };
  const GetRequest request{.row = "r", .columns = {{"f", std::nullopt}}};
  EXPECT_FALSE(store->Get("t", {&request, 1}).ok());
  EXPECT_FALSE(store->Scan("t", {}).ok());
  gateway.handler().on_get = nullptr;
  EXPECT_TRUE(store->Get("t", {&request, 1}).ok());
  EXPECT_EQ(gateway.handler().described, 1);
}

TEST(HBaseStore, WhoMayNotGoOnDoesNotWaitForASilentServer) {
  std::atomic<bool> asked_to_stop = false;
  FakeGateway gateway;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  const auto store = gateway.Store();
  ASSERT_TRUE(store->Put("t", Rows(1)).ok());
  const auto view =
      store->Guarded([&] { return asked_to_stop ? Status(StatusCode::kCancelled, "asked to stop") : Status(); });
  gateway.handler().on_call = [&, released] {
    asked_to_stop = true;
    released.wait();
  };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(view->Put("t", Rows(1)).status().code(), StatusCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "a call has a minute";
  release.set_value();
}

TEST(HBaseStore, BehindAWrapperAsksForThePermissionWhileItWaits) {
  std::atomic<bool> lost = false;
  FakeGateway gateway;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  const auto store = gateway.Store();
  ASSERT_TRUE(store->Put("t", Rows(1)).ok());
  RetryingStore wrapper(store.get(), {});
  const auto view = wrapper.Guarded([&] { return lost ? Status(StatusCode::kFenced, "lost") : Status(); });
  gateway.handler().on_call = [&, released] {
    lost = true;
    released.wait();
  };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(view->Put("t", Rows(1)).status().code(), StatusCode::kFenced);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "a call has a minute";
  release.set_value();
}

TEST(HBaseStore, UntilTheFirstAnswerWaitsNoLongerThanAsked) {
  FakeGateway gateway;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  gateway.handler().on_call = [released] { released.wait(); };
  const auto store = HBaseStore::Open({.host = "127.0.0.1",
                                       .port = gateway.port(),
                                       .connections = 1,
                                       .first_answer = std::chrono::milliseconds(300)})
                         .value();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(store->DescribeTable("t").status().code(), StatusCode::kUnavailable);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "a call has a minute";
  release.set_value();
}

/// Whoever goes on after the first contact has failed must find a gateway that is slower than nothing at all.
TEST(HBaseStore, AFirstAnswerThatComesTooLateIsWaitedForByWhoeverGoesOn) {
  FakeGateway gateway;
  gateway.handler().on_call = [] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  const auto store = HBaseStore::Open({.host = "127.0.0.1",
                                       .port = gateway.port(),
                                       .connections = 1,
                                       .first_answer = std::chrono::milliseconds(50)})
                         .value();
  EXPECT_EQ(store->DescribeTable("t").status().code(), StatusCode::kUnavailable);
  RetryingStore patient(store.get(),
                        {.first_pause = std::chrono::milliseconds(1), .give_up_after = std::chrono::seconds(60)});
  const auto described = patient.DescribeTable("t");
  EXPECT_TRUE(described.ok()) << described.status().ToString();
}

TEST(HBaseStore, ManyAnswersOfOneConnectionAddUpToNothing) {
  FakeGateway gateway;
  gateway.handler().on_get = [](auto& answer, const auto& gets) {
    answer.assign(gets.size(), {});
    for (thrift2::TResult& result : answer) {
      for (int i = 0; i < 100; ++i) {
        thrift2::TColumnValue& cell = result.columnValues.emplace_back();
        cell.family = "f";
        cell.value.assign(400, 'v');  // short: Thrift counts what it finds in its buffer
      }
    }
  };
  const auto store = gateway.Store();
  const std::vector<GetRequest> requests(100, GetRequest{.row = "r"});
  for (int i = 0; i < 40; ++i) {  // 160 MB
    const auto rows = store->Get("t", requests);
    ASSERT_TRUE(rows.ok()) << "after " << 4 * i << " MB: " << rows.status().ToString();
  }
}

TEST(HBaseStore, DoesNotRejectARowThatPassesTheSecondTime) {
  std::atomic<int> faults = 1;
  FakeGateway gateway;
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
  std::mutex mu;
  std::condition_variable all_here;
  int here = 0;
  FakeGateway gateway;
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
  EXPECT_EQ(store->Put("t", strange).status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(gateway.handler().described, 2);
}

TEST(HBaseStore, WaitsNoLongerThanTheTimeoutAndThenConnectsAnew) {
  FakeGateway gateway;
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  gateway.handler().on_get = [released](auto&, const auto&) { released.wait(); };
  const auto store = gateway.Store(1, std::chrono::milliseconds(300));
  const GetRequest request{.row = "r"};
  EXPECT_EQ(store->Get("t", std::span(&request, 1)).status().code(), StatusCode::kUnavailable);
  release.set_value();
  EXPECT_TRUE(RetryingStore(store.get(), {}).Get("t", std::span(&request, 1)).ok());
}

TEST(HBaseStore, RowsWithSeveralKindsOfMarkersHaveTheTimeOfACallEach) {
  FakeGateway gateway;
  gateway.handler().on_call = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  std::vector<RowMutation> rows;
  for (int i = 0; i < 60; ++i) {
    rows.push_back(
        {std::to_string(i), {Marker(CellType::kDeleteColumn, "f:q", 1), Marker(CellType::kDelete, "f:q", 2)}});
  }
  const auto store = gateway.Store(1, std::chrono::milliseconds(600));
  // All calls together take longer: they would fail at every try, and one of them at most when the machine stands
  // still.
  const auto rejected = RetryingStore(store.get(), {.give_up_after = std::chrono::seconds(30)}).Delete("t", rows);
  EXPECT_TRUE(rejected.ok()) << rejected.status().ToString();
}

/// "silent.test" is a name whose servers say nothing until then.
std::atomic<bool> name_servers_speak = false;

TEST(HBaseStore, ASilentNameServiceHoldsNoCallAndNoStop) {
  name_servers_speak = false;
  const auto store =
      HBaseStore::Open({.host = "silent.test", .connections = 1, .connect_timeout = std::chrono::milliseconds(300)})
          .value();
  const auto begin = std::chrono::steady_clock::now();
  const Status status = store->DescribeTable("t").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(),
              HasSubstr("silent.test:9090: asking whether table t exists: the name service does not answer"));
  std::atomic<int> asked = 0;
  const auto view = store->Guarded([&] { return ++asked < 3 ? Status() : Status(StatusCode::kCancelled, "stop"); });
  EXPECT_EQ(view->DescribeTable("t").status().code(), StatusCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "the name service needs a minute";
  name_servers_speak = true;
}

TEST(HBaseStore, DistrustsAnAnswerOfTheWrongLength) {
  FakeGateway gateway;
  gateway.handler().on_get = [](auto& answer, const auto&) { answer.clear(); };
  const GetRequest request{.row = "r"};
  EXPECT_EQ(gateway.Store()->Get("t", std::span(&request, 1)).status().code(), StatusCode::kUnavailable);
}

TEST(HBaseStore, NamesTheGatewayThatCannotBeReached) {
  const auto store = OpenStore("thrift://127.0.0.1:1", {.connections = 1});
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  const Status status = (*store)->Put("t", Rows(1)).status();
  EXPECT_THAT(status.ToString(), HasSubstr("unavailable: gateway 127.0.0.1:1: asking whether table t exists"));
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

/// In place of the system's.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto system = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getaddrinfo"));
  const bool numeric = hints != nullptr && (hints->ai_flags & AI_NUMERICHOST) != 0;
  if (name == nullptr || numeric || std::string_view(name) != "silent.test") return system(name, service, hints, found);
  const auto give_up_at = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!fensi::store::name_servers_speak && std::chrono::steady_clock::now() < give_up_at) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return EAI_AGAIN;
}
