// Every call of a store against every way in which a gateway can be slow, silent, refusing or half dead: it ends in
// time and says what it is, and when the gateway is well again the same call succeeds.
#include <gmock/gmock.h>

#include <functional>
#include <thread>

#include "store/retrying_store.h"
#include "tests/store/contract/store_contract.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/fault_proxy.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using testing::FaultProxy;
using Way = FaultProxy::Way;

constexpr milliseconds kCallTimeout(250);
#ifdef FENSI_SANITIZED
constexpr milliseconds kSlack(10'000);
#else
constexpr milliseconds kSlack(2'000);  // a busy machine
#endif

enum class Kind { kRead, kWrite, kTable };

struct Call {
  const char* name;
  Kind kind;
  std::function<Status(Store*)> run;
};

std::vector<RowMutation> Rows(const Cell& cell) { return {{"a", {cell}}, {"b", {cell}}, {"c", {cell}}}; }

std::vector<Call> AllCalls() {
  return {
      {"Put", Kind::kWrite, [](Store* s) { return s->Put("t", Rows(PutCell("f:q", 1, "v"))).status(); }},
      {"Delete", Kind::kWrite,
       [](Store* s) { return s->Delete("t", Rows(Marker(CellType::kDeleteColumn, "f:q", 1))).status(); }},
      {"Get", Kind::kRead,
       [](Store* s) {
         const GetRequest request{.row = "a", .columns = {{"f", std::nullopt}}};
         return s->Get("t", {&request, 1}).status();
       }},
      {"Scan", Kind::kRead,
       [](Store* s) {
         return s->Scan("t", {.columns = {{"f", std::nullopt}}}).status();
       }},
      {"CreateTable", Kind::kTable,
       [](Store* s) {
         return s->CreateTable({"t", {{.name = "f"}}}, {});
       }},
      {"DescribeTable", Kind::kTable, [](Store* s) { return s->DescribeTable("t").status(); }},
      {"RegionStarts", Kind::kTable, [](Store* s) { return s->RegionStarts("t").status(); }},
      {"DropTable", Kind::kTable, [](Store* s) { return s->DropTable("t"); }},
  };
}

/// A gateway behind a proxy, and a store that has used it before.
class World {
 public:
  World() {
    EXPECT_TRUE(store_->Put("t", Rows(PutCell("f:q", 1, "old"))).ok());
    EXPECT_TRUE(store_->Scan("t", {}).ok());
  }
  FaultProxy& proxy() { return proxy_; }
  ScriptedHandler& handler() { return gateway_.handler(); }
  Store* store() { return store_.get(); }

 private:
  FakeGateway gateway_;
  FaultProxy proxy_{gateway_.port()};
  const std::unique_ptr<Store> store_ =
      HBaseStore::Open({.host = "127.0.0.1", .port = proxy_.port(), .connections = 1, .call_timeout = kCallTimeout})
          .value();
};

struct Behaviour {
  const char* name;
  std::function<void(World*)> begin;
  std::function<void(World*)> end;
  std::map<Kind, StatusCode> meanwhile;
};

std::map<Kind, StatusCode> Always(StatusCode code) {
  return {{Kind::kRead, code}, {Kind::kWrite, code}, {Kind::kTable, code}};
}

void RefuseWrites(World* world, const char* message) {
  world->handler().on_put = [message](const auto&) { throw GatewayError(message); };
  world->handler().on_delete = [message](const auto&) { throw GatewayError(message); };
}

void TakeWrites(World* world) {
  world->handler().on_put = nullptr;
  world->handler().on_delete = nullptr;
}

std::vector<Behaviour> AllBehaviours() {
  using enum StatusCode;
  const std::map<Kind, StatusCode> only_writes = {
      {Kind::kRead, kOk}, {Kind::kWrite, kUnavailable}, {Kind::kTable, kOk}};
  const auto heal = [](World* world) { world->proxy().Heal(); };
  return {
      {"silent", [](World* world) { world->proxy().Hold(Way::kReplies); }, heal, Always(kUnavailable)},
      {"dripping",
       [](World* world) {
         world->proxy().Slice(Way::kReplies, 1);
         world->proxy().Throttle(Way::kReplies, 20);
       },
       heal, Always(kUnavailable)},
      {"cut in mid-reply", [](World* world) { world->proxy().CutAfter(Way::kReplies, 10); }, heal,
       Always(kUnavailable)},
      {"slow", [](World* world) { world->handler().on_call = [] { std::this_thread::sleep_for(milliseconds(20)); }; },
       [](World* world) { world->handler().on_call = nullptr; }, Always(kOk)},
      {"internal error",
       [](World* world) { world->handler().on_call = [] { throw std::runtime_error("a moment of weakness"); }; },
       [](World* world) { world->handler().on_call = nullptr; }, Always(kUnavailable)},
      {"read-only table",
       [](World* world) { RefuseWrites(world, "Failed 3 actions: DoNotRetryIOException: region is read only"); },
       TakeWrites, only_writes},
      {"region too busy", [](World* world) { RefuseWrites(world, "RegionTooBusyException: Over memstore limit"); },
       TakeWrites, only_writes},
      {"table made again",
       [](World* world) { world->handler().MakeAgain("g"); },
       [](World* world) { world->handler().MakeAgain("f"); },
       {{Kind::kRead, kConfiguration}, {Kind::kWrite, kConfiguration}, {Kind::kTable, kOk}}},
  };
}

TEST(Behaviours, EveryCallEndsInTimeWithTheRightClassAndSucceedsAfterwards) {
  for (const Behaviour& behaviour : AllBehaviours()) {
    for (const Call& call : AllCalls()) {
      SCOPED_TRACE(std::string(call.name) + " against a gateway that is: " + behaviour.name);
      World world;
      behaviour.begin(&world);
      const auto begin = std::chrono::steady_clock::now();
      const Status status = call.run(world.store());
      EXPECT_LT(std::chrono::steady_clock::now() - begin, kCallTimeout + kSlack);
      EXPECT_EQ(status.code(), behaviour.meanwhile.at(call.kind)) << status.ToString();
      EXPECT_EQ(status.message().find("EAGAIN"), std::string::npos) << status.message();
      behaviour.end(&world);
      RetryingStore patient(world.store(), {.give_up_after = std::chrono::seconds(10)});
      const Status after = call.run(&patient);
      EXPECT_TRUE(after.ok()) << after.ToString();
      if (call.kind == Kind::kWrite && std::string(call.name) == "Put") {
        const std::multiset<std::string> rows = world.handler().Rows();
        for (const char* row : {"a", "b", "c"}) EXPECT_GE(rows.count(row), 2U) << row;
      }
    }
  }
}

TEST(Behaviours, AnInternalErrorOnceOrAFewTimesIsOvercomeByEveryCall) {
  for (const int faults : {1, 6}) {
    for (const Call& call : AllCalls()) {
      SCOPED_TRACE(std::string(call.name) + " after internal errors: " + std::to_string(faults));
      World world;
      std::atomic<int> left = faults;
      world.handler().on_call = [&] {
        if (left-- > 0) throw std::runtime_error("a moment of weakness");
      };
      RetryingStore patient(world.store(), {.first_pause = milliseconds(1), .give_up_after = std::chrono::seconds(30)});
      const Status status = call.run(&patient);
      EXPECT_TRUE(status.ok()) << status.ToString();
    }
  }
}

class WideAnswers : public ::testing::Test {
 protected:
  static constexpr int kColumns = 110;
  static constexpr int kValueBytes = 1 << 20;

  WideAnswers() { wide_.Serve(&gateway_.handler()); }
  static void ExpectWhole(const Row& row) {
    EXPECT_EQ(row.row, "wide");
    ASSERT_EQ(row.cells.size(), static_cast<size_t>(kColumns));
    for (int i = 0; i < kColumns; ++i) EXPECT_EQ(row.cells[static_cast<size_t>(i)].qualifier, WideRow::QualifierOf(i));
  }

  WideRow wide_{.columns = kColumns, .value_bytes = kValueBytes};
  FakeGateway gateway_;
};

TEST_F(WideAnswers, OfGetsComeInPieces) {
  const std::vector<GetRequest> requests = {{.row = "before"}, {.row = "wide"}, {.row = "behind"}};
  const auto rows = gateway_.Store()->Get("t", requests);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_TRUE(rows->at(0).cells.empty());
  ExpectWhole(rows->at(1));
  EXPECT_TRUE(rows->at(2).cells.empty());
}

TEST_F(WideAnswers, OfScansComeInPieces) {
  const auto rows = gateway_.Store()->Scan("t", {});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_EQ(rows->size(), 1U);
  ExpectWhole(rows->at(0));
}

TEST_F(WideAnswers, OfARowThatIsGoneBeforeItsPiecesAreReadAreNone) {
  const auto row = [](const char* name) {
    thrift2::TResult result;
    result.__set_row(name);
    result.columnValues.emplace_back().family = "f";
    return result;
  };
  gateway_.handler().on_get = [row](auto& answer, const auto& gets) {
    if (gets[0].row == "x") answer[0] = row("x");
  };
  gateway_.handler().on_scan = [row, wide = gateway_.handler().on_scan](auto& answer, const thrift2::TScan& scan) {
    wide(answer, scan);
    if (answer.empty() && scan.startRow <= "x") answer.push_back(row("x"));
  };
  const auto rows = gateway_.Store()->Scan("t", {});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->at(0).row, "x");
}

TEST_F(WideAnswers, OfManyCellsAreAskedForByTheirNumber) {
  wide_.columns = 1000;
  wide_.value_bytes = 1;
  const auto store =
      HBaseStore::Open({.host = "127.0.0.1", .port = gateway_.port(), .connections = 1, .read_limits = {.cells = 30}})
          .value();
  const std::vector<GetRequest> requests = {{.row = "wide"}, {.row = "wide", .columns = {{"f", std::nullopt}}}};
  const auto rows = store->Get("t", requests);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->at(0).cells.size(), 1000U);
  EXPECT_EQ(rows->at(0).cells, rows->at(1).cells);
  EXPECT_LE(wide_.largest_answer, 30);
}

}  // namespace
}  // namespace fensi::store
