// What a gateway cannot do is found by asking it, and a gateway in trouble is not taken for one that cannot.
#include "store/hbase/calls/server_check.h"

#include <gmock/gmock.h>

#include <atomic>

#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

using ::testing::AllOf;
using ::testing::Not;

void RefuseFilters(ScriptedHandler* handler) {
  handler->on_get = [](auto&, const std::vector<thrift2::TGet>& gets) {
    if (gets[0].__isset.filterString) throw std::runtime_error("Filter Name ColumnRangeFilter not supported");
  };
  handler->on_scan = [](auto&, const thrift2::TScan& scan) {
    if (scan.filterString.find("FamilyFilter") != std::string::npos)
      throw GatewayError("DoNotRetryIOException: no such class");
  };
}

thrift2::TColumnValue OfNoKind() {
  thrift2::TColumnValue cell;
  cell.family = "f";
  cell.qualifier = "q";
  cell.__set_timestamp(1);
  return cell;
}

void AnswerWithoutKinds(ScriptedHandler* handler) {
  handler->on_get = [](std::vector<thrift2::TResult>& answer, const auto&) {
    answer[0].__set_row("r");
    answer[0].columnValues = {OfNoKind()};
  };
  handler->on_scan = [](std::vector<thrift2::TResult>& answer, const thrift2::TScan&) {
    answer.emplace_back().__set_row("r");
    answer[0].columnValues = {OfNoKind()};
  };
}

TEST(ServerCheck, AGatewayThatCanAllOfItPassesAndNothingIsPut) {
  FakeGateway gateway;
  const Status status = gateway.Store()->CheckServer("t");
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(gateway.handler().CompareCalls(), 1);
  EXPECT_EQ(gateway.handler().Compared(std::string(kAskedRow)), "");
  EXPECT_TRUE(gateway.handler().Rows().empty());
}

TEST(ServerCheck, EverythingThatAGatewayCannotDoIsNamedAtOnce) {
  FakeGateway gateway;
  gateway.handler().lacks = {"checkAndPut"};
  RefuseFilters(&gateway.handler());
  const Status status = gateway.Store()->CheckServer("t");
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("reads of a row from a given column on: gateway 127.0.0.1:"),
                    HasSubstr("scans with filters: gateway"), HasSubstr("conditional puts (checkAndPut): gateway")));
}

TEST(ServerCheck, OnlyWhatFailsIsNamed) {
  FakeGateway gateway;
  gateway.handler().lacks = {"checkAndPut"};
  const Status status = gateway.Store()->CheckServer("t");
  EXPECT_THAT(status.message(), AllOf(HasSubstr("conditional puts"), Not(HasSubstr("filters"))));
}

TEST(ServerCheck, AGatewayInABadHourIsNotTakenForOneThatCannot) {
  std::atomic<int> calls = 0;
  FakeGateway gateway;
  gateway.handler().on_get = [](auto&, const auto&) { throw std::runtime_error("shutting down"); };
  EXPECT_EQ(gateway.Store()->CheckServer("t").code(), StatusCode::kUnavailable);
  gateway.handler().on_get = [&](auto&, const auto&) {
    if (calls++ == 0) throw std::runtime_error("it starts");  // and works from then on
  };
  EXPECT_TRUE(gateway.Store()->CheckServer("t").ok());
  gateway.handler().on_call = [] { throw GatewayError("ConnectException"); };
  EXPECT_EQ(gateway.Store()->CheckServer("t").code(), StatusCode::kUnavailable);
}

/// HBase: "DoNotRetryIOException: region is read only".
TEST(ServerCheck, ATableThatTakesNoWritesIsNoGatewayThatCannotCompare) {
  FakeGateway gateway;
  gateway.handler().on_put = [](const auto&) { throw GatewayError("DoNotRetryIOException: region is read only"); };
  EXPECT_TRUE(gateway.Store()->CheckServer("t").ok()) << "who writes is told";
}

TEST(ServerCheck, AGatewayThatDoesNotTellKindsOfCellsIsRefusedBeforeAMarkerIsTakenForAPut) {
  FakeGateway gateway;
  AnswerWithoutKinds(&gateway.handler());
  const auto store = gateway.Store();
  EXPECT_THAT(store->CheckServer("t").message(),
              HasSubstr("raw reads: the gateway does not distinguish puts from delete markers"));
  const GetRequest raw{.row = "r", .raw = true};
  EXPECT_EQ(store->Get("t", {&raw, 1}).status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(store->Scan("t", {.raw = true}).status().code(), StatusCode::kConfiguration);
  const GetRequest plain{.row = "r"};
  EXPECT_EQ(store->Get("t", {&plain, 1})->at(0).cells.size(), 1U) << "what is visible is a put";
}

}  // namespace
}  // namespace fensi::store
