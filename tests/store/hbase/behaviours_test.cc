// Every call of a store against every way in which a gateway can be slow, silent, refusing or half dead: it ends in
// time and says what it is, and when the gateway is well again the same call succeeds.
#include <gmock/gmock.h>

#include <functional>

#include "store/retrying_store.h"
#include "tests/store/hbase/every_call.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/fault_proxy.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using testing::FaultProxy;
using Way = FaultProxy::Way;

// Of a gateway that does not answer; from all others an answer is waited for, on a busy machine too.
constexpr milliseconds kShort(250);
constexpr milliseconds kLong(60'000);
constexpr milliseconds kSlack(20'000);  // a busy machine, and far from what is long

/// A gateway behind a proxy, and a store that has used it before.
class World {
 public:
  explicit World(milliseconds call_timeout)
      : store_(HBaseStore::Open(
                   {.host = "127.0.0.1", .port = proxy_.port(), .connections = 1, .call_timeout = call_timeout})
                   .value()) {
    RetryingStore patient(store_.get(), {.give_up_after = kLong});
    EXPECT_TRUE(patient.Put("t", Rows(PutCell("f:q", 1, "old"))).ok());
    EXPECT_TRUE(patient.Scan("t", {}).ok());
  }
  FaultProxy& proxy() { return proxy_; }
  ScriptedHandler& handler() { return gateway_.handler(); }
  Store* store() { return store_.get(); }

 private:
  FakeGateway gateway_;
  FaultProxy proxy_{gateway_.port()};
  const std::unique_ptr<Store> store_;
};

struct Behaviour {
  const char* name;
  std::function<void(World*)> begin;
  std::function<void(World*)> end;
  std::map<Kind, StatusCode> meanwhile;
  milliseconds call_timeout = kLong;
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
      {"silent", [](World* world) { world->proxy().Hold(Way::kReplies); }, heal, Always(kUnavailable), kShort},
      {"dripping",
       [](World* world) {
         world->proxy().Slice(Way::kReplies, 1);
         world->proxy().Throttle(Way::kReplies, 20);
       },
       heal, Always(kUnavailable), kShort},
      {"cut in mid-reply", [](World* world) { world->proxy().CutAfter(Way::kReplies, 10); }, heal,
       Always(kUnavailable)},
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
    for (const Call& call : EveryCall()) {
      SCOPED_TRACE(std::string(call.name) + " against a gateway that is: " + behaviour.name);
      World world(behaviour.call_timeout);
      behaviour.begin(&world);
      const auto begin = std::chrono::steady_clock::now();
      const Status status = call.run(world.store());
      EXPECT_LT(std::chrono::steady_clock::now() - begin, kSlack);
      EXPECT_EQ(status.code(), behaviour.meanwhile.at(call.kind)) << status.ToString();
      EXPECT_EQ(status.message().find("EAGAIN"), std::string::npos) << status.message();
      EXPECT_EQ(status.message().empty(), status.ok()) << "a person reads it";
      behaviour.end(&world);
      const Status after = RunPatiently(call, world.store());
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
    for (const Call& call : EveryCall()) {
      SCOPED_TRACE(std::string(call.name) + " after internal errors: " + std::to_string(faults));
      std::atomic<int> left = faults;
      World world(kLong);
      world.handler().on_call = [&] {
        if (left-- > 0) throw std::runtime_error("a moment of weakness");
      };
      const Status status = RunPatiently(call, world.store());
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

TEST_F(WideAnswers, OfGetsWithABoundHoldALittleMoreThanIt) {
  std::atomic<size_t> asked{0};
  gateway_.handler().on_get = [&asked](auto& answer, const std::vector<thrift2::TGet>& gets) {
    asked += gets.size();
    for (size_t i = 0; i < gets.size(); ++i) {
      answer[i].__set_row(gets[i].row);
      answer[i].columnValues.emplace_back().family = "f";
      answer[i].columnValues[0].value.assign(kValueBytes, 'v');
    }
  };
  const std::vector<GetRequest> requests(400, {.row = "r"});
  for (const int connections : {1, 4}) {
    const auto rows = gateway_.Store(connections)->GetSome("t", requests, size_t{8} << 20);
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    EXPECT_GE(rows->size(), 1U);
    // What is asked for and what one answer may bring.
    EXPECT_LE(rows->size(), 8U + 16U);
  }
}

TEST_F(WideAnswers, OfARowAboveTheBoundAreWhole) {
  const std::vector<GetRequest> requests = {{.row = "wide"}, {.row = "behind"}};
  const auto rows = gateway_.Store()->GetSome("t", requests, size_t{8} << 20);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_GE(rows->size(), 1U);
  ExpectWhole(rows->at(0));
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
  gateway_.handler().on_scan = [row, wide = gateway_.handler().on_scan](auto& answer, const thrift2::TScan& scan) {
    if (!scan.__isset.batchSize) wide(answer, scan);
    if (answer.empty() && scan.startRow <= "x") answer.push_back(row("x"));
  };
  const auto rows = gateway_.Store()->Scan("t", {});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->at(0).row, "x");
}

TEST_F(WideAnswers, OfScansWithABoundAreAskedForWithinIt) {
  wide_.columns = 5'000;
  wide_.value_bytes = 10;
  std::atomic<int64_t> most = 0;
  gateway_.handler().on_scan = [&most, wide = gateway_.handler().on_scan](auto& answer, const thrift2::TScan& scan) {
    most = std::max<int64_t>(most, int64_t{scan.batchSize} * scan.limit);
    wide(answer, scan);
  };
  ScanRequest request{.max_rows = 10, .max_cells = 250};
  size_t columns = 0, pages = 0;
  for (bool more = true; more; ++pages) {
    const auto page = gateway_.Store()->Scan("t", request);
    ASSERT_TRUE(page.ok()) << page.status().ToString();
    for (const Row& row : *page) {
      EXPECT_LE(row.cells.size(), 250U);
      for (const Cell& cell : row.cells) EXPECT_EQ(cell.qualifier, WideRow::QualifierOf(static_cast<int>(columns++)));
    }
    more = ToNextPage(*page, &request);
  }
  EXPECT_EQ(columns, 5'000U);
  EXPECT_LE(pages, 5'000U / 249 + 2);
  EXPECT_LE(most, 250) << "the gateway and HBase hold no more, either";
}

/// HBase was seen to end an answer of pieces with a region, when a row had just as many cells as a piece.
TEST_F(WideAnswers, OfScansInPiecesGoOnAfterAnAnswerThatIsShort) {
  wide_.columns = 100;
  wide_.value_bytes = 10;
  gateway_.handler().on_scan = [wide = gateway_.handler().on_scan](auto& answer, const thrift2::TScan& scan) {
    wide(answer, scan);
    if (answer.size() > 3) answer.resize(3);
  };
  ScanRequest request{.max_rows = 10, .max_cells = 50};
  size_t columns = 0;
  for (bool more = true; more;) {
    const auto page = gateway_.Store()->Scan("t", request);
    ASSERT_TRUE(page.ok()) << page.status().ToString();
    for (const Row& row : *page) columns += row.cells.size();
    more = ToNextPage(*page, &request);
  }
  EXPECT_EQ(columns, 100U);
}

/// One column with so many versions, of which 100 fit into an answer.
void ServeColumn(ScriptedHandler* handler, int versions, std::atomic<int>* asked) {
  const auto column = [versions](int limit) {
    if (limit > 100) {
      throw GatewayError("org.apache.hadoop.hbase.client.RowTooBigException: Max row size allowed: 1073741824");
    }
    thrift2::TResult result;
    result.__set_row("wide");
    for (int i = 0; i < std::min(versions, limit); ++i) {
      thrift2::TColumnValue& cell = result.columnValues.emplace_back();
      cell.__set_family("f");
      cell.__set_qualifier("q");
      cell.__set_timestamp(1'000'000 - i);
      cell.__set_type(4);  // a put
    }
    return result;
  };
  handler->on_scan = [column, asked](auto& answer, const thrift2::TScan& scan) {
    ++*asked;
    if (scan.startRow > "wide") return;
    const thrift2::TResult result = column(scan.__isset.batchSize ? scan.batchSize : INT32_MAX);
    if (scan.filterString.empty()) answer.push_back(result);  // else behind the column
  };
  handler->on_get = [column, asked](auto& answer, const std::vector<thrift2::TGet>& gets) {
    ++*asked;
    answer.at(0) = column(gets.at(0).storeLimit);
  };
}

size_t CellsOfGet(Store* store) {
  const GetRequest request{.row = "wide", .max_versions = 2000, .raw = true};
  const auto rows = store->Get("t", std::span(&request, 1));
  return rows.ok() ? rows->at(0).cells.size() : 0;
}

TEST_F(WideAnswers, OfAColumnThatJustFitsIntoOneAreWhole) {
  std::atomic<int> asked = 0;
  ServeColumn(&gateway_.handler(), 97, &asked);
  const auto rows = gateway_.Store()->Scan("t", {.max_versions = 200, .raw = true});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->at(0).cells.size(), 97U);
  EXPECT_LT(asked.exchange(0), 40);
  EXPECT_EQ(CellsOfGet(gateway_.Store().get()), 97U);
  EXPECT_LT(asked, 40);
}

TEST_F(WideAnswers, OfAColumnThatIsLargerThanOneAreAFault) {
  std::atomic<int> asked = 0;
  ServeColumn(&gateway_.handler(), 1000, &asked);
  EXPECT_FALSE(gateway_.Store()->Scan("t", {.max_versions = 2000, .raw = true}).ok());
  EXPECT_LT(asked.exchange(0), 40);
  EXPECT_EQ(CellsOfGet(gateway_.Store().get()), 0U);
  EXPECT_LT(asked, 40);
}

/// "The row is bigger than the maximum": HBase's own limits of a row and of an answer.
TEST_F(WideAnswers, ThatHBaseItselfRefusesComeInPieces) {
  wide_.columns = 1000;
  wide_.value_bytes = 1;
  for (const char* refusal : {"org.apache.hadoop.hbase.client.RowTooBigException: Max row size allowed: 1073741824",
                              "org.apache.hadoop.hbase.MultiActionResultTooLarge: Max size exceeded",
                              "InvalidProtocolBufferException: Protocol message was too large.  May be malicious."}) {
    SCOPED_TRACE(refusal);
    wide_.Serve(&gateway_.handler());
    gateway_.handler().on_get = [refusal, wide = gateway_.handler().on_get](auto& answer, const auto& gets) {
      for (const thrift2::TGet& get : gets) {
        if (gets.size() > 1 || get.storeLimit > 100) throw GatewayError(refusal);
      }
      wide(answer, gets);
    };
    gateway_.handler().on_scan = [refusal, wide = gateway_.handler().on_scan](auto& answer,
                                                                              const thrift2::TScan& scan) {
      if (scan.startRow <= "wide" && (!scan.__isset.batchSize || scan.batchSize > 100)) throw GatewayError(refusal);
      wide(answer, scan);
    };
    const std::vector<GetRequest> requests = {{.row = "before"}, {.row = "wide"}};
    const auto rows = gateway_.Store()->Get("t", requests);
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    EXPECT_EQ(rows->at(1).cells.size(), 1000U);
    const auto scanned = gateway_.Store()->Scan("t", {});
    ASSERT_TRUE(scanned.ok()) << scanned.status().ToString();
    ASSERT_EQ(scanned->size(), 1U);
    EXPECT_EQ(scanned->at(0).cells.size(), 1000U);
  }
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
