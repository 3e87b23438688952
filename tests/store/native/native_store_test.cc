// The store over HBase's own RPC, against a cluster inside the test.
#include "store/native/native_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/protocol_hint.h"
#include "tests/hbase/fake_hbase.h"
#include "tests/hbase/tls_server.h"
#include "tests/support/eventually.h"

namespace fensi::store {
namespace {

using hbase::FakeHBase;
using hbase::Reaction;

std::optional<Reaction> Refusing(const std::string& text) {
  return Reaction{.exception = "org.apache.hadoop.hbase.DoNotRetryIOException", .text = text};
}

std::vector<RowMutation> Rows(const std::vector<std::string>& names) {
  std::vector<RowMutation> rows;
  for (const std::string& name : names) rows.push_back({name, {{"f", "q", 1, CellType::kPut, "v", {}}}});
  return rows;
}

TEST(NativeStore, RejectsRowsWhoseCellsAreTooLargeThoughACallHasNoOther) {
  FakeHBase server;
  server.refuse_region = [](std::string_view row) {
    return Refusing("Cell[" + std::string(row) + "/f:q/1/Put] with size 20 exceeds limit of 10 bytes");
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  const auto rejected = store.Put("t", Rows({"a", "b", "c"}));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_EQ(rejected->size(), 3U);
}

TEST(NativeStore, IsUnavailableIfEachRowOfACallIsRefusedForAnotherReason) {
  FakeHBase server;
  server.refuse_region = [](std::string_view) { return Refusing("java.io.FileNotFoundException"); };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  EXPECT_EQ(store.Put("t", Rows({"a", "b", "c"})).status().code(), StatusCode::kUnavailable);
}

TEST(NativeStore, WaitsForAFamilyThatARegionDoesNotKnowYet) {
  FakeHBase server;
  server.react = [](const std::string& method, const std::string& region) {
    const bool of_rows = method == "Multi" || (method == "Scan" && !region.starts_with("hbase:meta"));
    return of_rows ? Reaction{.kind = Reaction::Kind::kException,
                              .exception = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException",
                              .text = "Column family f does not exist",
                              .do_not_retry = true}
                   : Reaction{};
  };
  for (const bool point : {false, true}) {
    NativeStore store(hbase::Cluster::Open(server.Options()).value());
    GetRequest get{.row = "a", .columns = {{"f", "q"}}};
    get.read_point = point;
    EXPECT_EQ(store.Get("t", std::span(&get, 1)).status().code(), StatusCode::kUnavailable) << point;
  }
}

TEST(NativeStore, BlamesNoRowThatIsAloneForAFaultOfItsRegion) {
  const auto threw = [](std::string_view row) -> std::optional<Reaction> {
    if (row < "m") return Refusing("Coprocessor 'x' threw");
    return std::nullopt;
  };
  for (const bool by_action : {false, true}) {  // HBase 2.6 answers puts by action
    FakeHBase server({"m"});
    (by_action ? server.refuse_row : server.refuse_region) = threw;
    NativeStore store(hbase::Cluster::Open(server.Options()).value());
    EXPECT_EQ(store.Put("t", Rows({"a"})).status().code(), StatusCode::kUnavailable) << by_action;
    EXPECT_EQ(store.Put("t", Rows({"a", "z"})).status().code(), StatusCode::kUnavailable) << by_action;
    EXPECT_EQ(server.ValueOf("z"), "v") << "its region takes it";
  }
}

TEST(NativeStore, BlamesNoRowsThatAreAloneForAFaultOfAllRegions) {
  FakeHBase server({"m"});
  server.refuse_row = [](std::string_view) { return Refusing("Coprocessor 'x' threw"); };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  EXPECT_EQ(store.Put("t", Rows({"a", "z"})).status().code(), StatusCode::kUnavailable);
}

TEST(NativeStore, BlamesNoRowThatIsAloneForAFaultThatPassesAtOnce) {
  std::atomic<bool> threw = false;
  FakeHBase server;
  server.refuse_row = [&](std::string_view) -> std::optional<Reaction> {
    if (!threw.exchange(true)) return Refusing("The coprocessor set threw, and has been unloaded");
    return std::nullopt;
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  EXPECT_EQ(store.Put("t", Rows({"a"})).status().code(), StatusCode::kUnavailable);
  const auto again = store.Put("t", Rows({"a"}));
  EXPECT_TRUE(again.ok() && again->empty()) << again.status().ToString();
}

TEST(NativeStore, BlamesNoRowWhoseRegionRefusesSmallPutsAfterTheRow) {
  std::atomic<int> refusals = 0;
  FakeHBase server;
  server.refuse_action = [&](std::string_view, std::string_view value) -> std::optional<Reaction> {
    const bool fails_now = refusals >= 2;
    if (value == "v" || fails_now) {
      ++refusals;
      return Refusing("Coprocessor 'x' threw");
    }
    return std::nullopt;
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  EXPECT_EQ(store.Put("t", Rows({"a"})).status().code(), StatusCode::kUnavailable);
}

TEST(NativeStore, RejectsRowsThatAreAloneIfTheirRegionsTakeSmallPuts) {
  FakeHBase server({"m", "p"});
  server.refuse_action = [](std::string_view row, std::string_view value) -> std::optional<Reaction> {
    if (value == "v" && row != "b" && row != "n") return Refusing("I do not like v");
    return std::nullopt;
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  const std::pair<std::vector<std::string>, size_t> cases[] = {
      {{"a"}, 1}, {{"a", "z"}, 2}, {{"a", "n"}, 1}, {{"a", "b", "n", "z"}, 2}};
  for (const auto& [rows, bad] : cases) {
    const auto rejected = store.Put("t", Rows(rows));
    ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
    EXPECT_EQ(rejected->size(), bad) << rows.size();
  }
  EXPECT_EQ(server.ValueOf("b"), "v");
  EXPECT_EQ(server.ValueOf("n"), "v");
}

/// Result of a conditional put with a timestamp that is so far ahead, to which HBase answers with the exception.
Status Conditional(const std::string& exception, const std::string& text, int64_t ahead_ms = 0) {
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method != "Mutate") return Reaction{};
    return Reaction{.kind = Reaction::Kind::kException, .exception = exception, .text = text, .do_not_retry = true};
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  const int64_t ts = SystemClock()->WallMillis() + ahead_ms;
  return store.CompareAndPut("t", {{"a", {{"f", "q", ts, CellType::kPut, "v", {}}}}, "f", "q", ""}).status();
}

TEST(NativeStore, AConditionalPutThatTheTableRefusesIsUnavailable) {
  constexpr char kPlain[] = "org.apache.hadoop.hbase.DoNotRetryIOException";
  const std::pair<const char*, const char*> refusals[] = {
      {kPlain, "java.io.FileNotFoundException: File does not exist"},
      {"org.apache.hadoop.hbase.coprocessor.CoprocessorException", "Coprocessor 'x' threw"},
      {"org.apache.hadoop.hbase.client.RowTooBigException",
       "Max row size allowed: 10, but the row is bigger than that"},
      {kPlain, "region is read only"}};
  for (const auto& [exception, text] : refusals) {
    const Status status = Conditional(exception, text);
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << text;
    EXPECT_THAT(status.message(), ::testing::HasSubstr(text));
  }
}

TEST(NativeStore, AConditionalPutIsRejectedForAFaultOfItsCell) {
  constexpr char kInsane[] = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException";
  constexpr int64_t kMinute = 60'000, kYear = int64_t{365} * 24 * 60 * kMinute;
  const Status too_large = Conditional("org.apache.hadoop.hbase.DoNotRetryIOException",
                                       "Cell[a/f:q/1/Put] with size 20 exceeds limit of 10 bytes");
  EXPECT_EQ(too_large.code(), StatusCode::kRejected);
  EXPECT_EQ(Conditional(kInsane, "Timestamp for KV out of range", kYear).code(), StatusCode::kRejected);
  EXPECT_EQ(Conditional(kInsane, "Timestamp for KV out of range", kMinute).code(), StatusCode::kUnavailable);
}

TEST(NativeStore, ReadsTheReadPointOfARegionBeforeItsRows) {
  hbase::FakeHBase server({"m"});
  std::atomic<int> gets = 0;
  server.read_point_of = [&](const std::string& region) { return region.starts_with("t,m,") ? 30 : 10 + gets; };
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++gets;
    return hbase::Reaction{};
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  const GetRequest requests[] = {{.row = "a", .read_point = true}, {.row = "b"}, {.row = "z", .read_point = true}};
  const auto rows = store.Get("t", requests);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_TRUE((*rows)[0].read_point && (*rows)[2].read_point);
  EXPECT_EQ((*rows)[0].read_point->number, 10U);
  EXPECT_EQ((*rows)[2].read_point->number, 30U);
  EXPECT_EQ((*rows)[1].read_point, nullptr) << "it does not ask";
  EXPECT_THAT((*rows)[0].read_point->region, ::testing::Not(::testing::HasSubstr("."))) << "the encoded name";
}

TEST(NativeStore, DescribesItsClusterAndNamesServersThatCannotBeReached) {
  FakeHBase server;
  server.unreachable_port = 1;  // nobody listens there
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  const auto facts = store.DescribeCluster();
  ASSERT_TRUE(facts.ok()) << facts.status().ToString();
  ASSERT_TRUE(facts->has_value());
  EXPECT_EQ((*facts)->version, "2.6.1");
  EXPECT_EQ((*facts)->id, "the-cluster");
  EXPECT_EQ((*facts)->region_servers, 2u);
  ASSERT_EQ((*facts)->unreachable.size(), 1u);
  EXPECT_THAT((*facts)->unreachable.front(), ::testing::StartsWith("region server 127.0.0.1:1: "));
}

TEST(NativeStore, TellsTheSizesOfTheRegionsOfATable) {
  FakeHBase server;
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  EXPECT_FALSE(store.RegionSizes("t")->has_value());
  server.region_loads = {{"t,m,1.abc.", 7}, {"t,,1.abd.", 5}, {"t2,,1.abe.", 9}, {"t,x,y,1.abf.", 0}};
  const auto sizes = store.RegionSizes("default:t");
  ASSERT_TRUE(sizes.ok() && sizes->has_value()) << sizes.status().ToString();
  ASSERT_EQ((*sizes)->size(), 3u);
  EXPECT_EQ((**sizes)[0].start, "");
  EXPECT_EQ((**sizes)[0].bytes, 6 << 20);
  EXPECT_EQ((**sizes)[0].rounding, 3 << 20);
  EXPECT_EQ((**sizes)[1].start, "m");
  EXPECT_EQ((**sizes)[1].bytes, 8 << 20);
  EXPECT_EQ((**sizes)[2].start, "x,y");
}

TEST(NativeStore, NamesServersWhoseClocksDiffer) {
  const struct {
    int64_t ahead_ms;
    const char* words;
  } cases[] = {{0, ""},
               {-25'000, ""},
               {60'000, "region server 127.0.0.1:"},
               {60'000, "ahead of this machine's"},
               {-60'000, "its clock is 60 s behind this machine's"}};
  for (const auto& one : cases) {
    FakeHBase server;
    server.clock_ahead_ms = one.ahead_ms;
    NativeStore store(hbase::Cluster::Open(server.Options()).value());
    const auto facts = store.DescribeCluster();
    ASSERT_TRUE(facts.ok() && facts->has_value());
    EXPECT_EQ((*facts)->clocks.size(), *one.words == '\0' ? 0u : 1u) << one.ahead_ms;
    for (const std::string& clock : (*facts)->clocks) EXPECT_THAT(clock, ::testing::HasSubstr(one.words));
  }
}

TEST(NativeStore, TellsOfTheCallsToEachServer) {
  FakeHBase server;
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  ASSERT_TRUE(store.Put("t", Rows({"a"})).ok());
  const std::vector<ServerCalls> servers = store.Servers();
  ASSERT_EQ(servers.size(), 1u);
  EXPECT_EQ(servers.front().address, "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_GE(servers.front().calls, 1);
  EXPECT_EQ(servers.front().seconds.count, servers.front().calls);
  EXPECT_EQ(servers.front().trouble, "");
}

TEST(ProtocolHint, AServerByTlsIsRightForAUrlThatAsksForIt) {
  const hbase::TlsServer tls{testing::Authority("ours").Issue("hbase"), ""};
  FakeHBase server;
  server.greet = [&](int socket) { return tls.Shake(socket); };
  ProtocolHint::Place place{.host = "127.0.0.1", .port = server.port(), .masters = true};
  std::string hint;  // none if the machine needs more than a second for it
  EXPECT_TRUE(Eventually([&] { return !(hint = HintFor(place)).empty(); }));
  EXPECT_THAT(hint, ::testing::HasSubstr("speaks TLS: write hbases://"));
  place.tls = true;
  EXPECT_EQ(HintFor(place), "") << "it may only be slow";
}

}  // namespace
}  // namespace fensi::store
