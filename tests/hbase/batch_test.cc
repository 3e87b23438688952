// Batches of mutations and gets against a cluster inside the test: the order of a row's actions, what is asked of
// hbase:meta, and how often a server is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hbase/cluster.h"
#include "hbase/wire/cell_writer.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"

namespace fensi::hbase {
namespace {

using ::testing::HasSubstr;
using Kind = Reaction::Kind;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
namespace pb = proto::hbase;

struct RowAndValue {
  std::string row, value;
};

Result<std::vector<Refusal>> Write(Cluster* client, const std::vector<RowAndValue>& puts,
                                   const Permission& permission = kGranted) {
  std::vector<std::vector<Cell>> cells;
  for (const RowAndValue& put : puts) cells.push_back({{"f", "q", 1, CellType::kPut, put.value, {}}});
  std::vector<Mutation> mutations;
  for (size_t i = 0; i < puts.size(); ++i) mutations.push_back({puts[i].row, cells[i]});
  return client->Write("t", mutations, permission);
}

Reaction Busy() { return {.exception = "org.apache.hadoop.hbase.RegionTooBusyException"}; }
Reaction TooLarge() {
  return {.exception = "org.apache.hadoop.hbase.DoNotRetryIOException",
          .text = "Cell with size 20000000 exceeds limit"};
}

/// A region as hbase:meta has it. No host: no server has the region.
void AddRegion(const std::string& start, const std::string& end, const std::string& host, pb::ScanResponse* response,
               std::string* cells, bool split = false) {
  pb::RegionInfo info;
  info.set_region_id(1);
  info.mutable_table_name()->set_namespace_("default");
  info.mutable_table_name()->set_qualifier("t");
  info.set_start_key(start);
  info.set_end_key(end);
  info.set_split(split);
  info.set_offline(split);
  const auto add = [&](const std::string& qualifier, const std::string& value) {
    const Cell cell{"info", qualifier, 1, CellType::kPut, value, {}};
    const std::string row = "t," + start + ",1.x.";
    const size_t begin = cells->size();
    cells->resize(begin + WrittenBytes(row, cell));
    WriteCell(row, cell, cells->data() + begin);
  };
  add("regioninfo", "PBUF" + info.SerializeAsString());
  if (!host.empty()) add("server", host);
  response->add_cells_per_result(host.empty() ? 1 : 2);
}

/// Whether a reversed scan that begins there still has to bring the region with this start.
bool IsAsked(const pb::Scan& scan, const std::string& start) {
  const std::string key = "t," + start + ",1.x.";
  return scan.include_start_row() ? key <= scan.start_row() : key < scan.start_row();
}

TEST(Batch, SendsOneRowsActionsInOneCall) {
  FakeHBase server;
  const auto client = ClientOf(server.Options());
  std::vector<RowAndValue> puts;
  for (int i = 0; i < 3'000; ++i) puts.push_back({"hot", std::to_string(i)});
  ASSERT_TRUE(Write(client.get(), puts).ok());
  EXPECT_EQ(server.ValueOf("hot"), "2999");
  EXPECT_EQ(server.CallsOf("Multi"), 1);
}

TEST(Batch, SendsOneRowsActionsInSeveralCallsOneAfterTheOtherIfTheyAreTooMany) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    return Reaction{.kind = method == "Multi" && ++multis == 1 ? Kind::kDelay : Kind::kAnswer};
  };
  const auto client = ClientOf(server.Options());
  std::vector<RowAndValue> puts;
  for (int i = 0; i < 9'000; ++i) puts.push_back({"hot", std::to_string(i)});
  ASSERT_TRUE(Write(client.get(), puts).ok());
  EXPECT_EQ(server.ValueOf("hot"), "8999");
  EXPECT_EQ(server.CallsOf("Multi"), 3);
}

TEST(Batch, KeepsTheOrderOfARowWhenALookupFails) {
  std::atomic<int> lookups = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Meta") server.SetLocation(lookups++ == 0 ? "" : "127.0.0.1", server.port(), 1);
    return Reaction{};
  };
  const auto client = ClientOf(server.Options());
  ASSERT_TRUE(Write(client.get(), {{"hot", "1"}, {"hot", "2"}}).ok());
  EXPECT_EQ(server.ValueOf("hot"), "2");
}

TEST(Batch, KeepsTheOrderOfARowWhileItHalves) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++multis;
    return Reaction{};
  };
  server.refuse_region = [&](std::string_view row) -> std::optional<Reaction> {
    if (row == "big") return TooLarge();
    if (multis == 2 && row == "first") return Busy();
    return std::nullopt;
  };
  const auto client = ClientOf(server.Options());
  const auto refused = Write(client.get(), {{"hot", "1"}, {"first", "x"}, {"hot", "2"}, {"big", "x"}});
  ASSERT_TRUE(refused.ok()) << refused.status().ToString();
  ASSERT_EQ(refused->size(), 1U);
  EXPECT_EQ(refused->front().index, 3U);
  EXPECT_EQ(server.ValueOf("hot"), "2");
}

TEST(Batch, SendsTheSecondHalfOfARowsActionsAfterTheFirst) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++multis;
    return Reaction{};
  };
  server.refuse_action = [&](std::string_view, std::string_view value) -> std::optional<Reaction> {
    if (multis == 1) return TooLarge();
    if (multis == 2 && value <= "1") return Busy();
    return std::nullopt;
  };
  const auto client = ClientOf(server.Options());
  ASSERT_TRUE(Write(client.get(), {{"hot", "0"}, {"hot", "1"}, {"hot", "2"}, {"hot", "3"}}).ok());
  EXPECT_EQ(server.ValueOf("hot"), "3");
}

TEST(Batch, RefusesOneActionOfARowThatHasOthers) {
  FakeHBase server;
  server.refuse_action = [](std::string_view, std::string_view value) -> std::optional<Reaction> {
    if (value == "17") return Reaction{.exception = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException"};
    return std::nullopt;
  };
  const auto client = ClientOf(server.Options());
  std::vector<RowAndValue> puts;
  for (int i = 0; i < 30; ++i) puts.push_back({"hot", std::to_string(i)});
  const auto refused = Write(client.get(), puts);
  ASSERT_TRUE(refused.ok());
  ASSERT_EQ(refused->size(), 1U);
  EXPECT_EQ(refused->front().index, 17U);
  EXPECT_TRUE(refused->front().named);
  EXPECT_EQ(server.ValueOf("hot"), "29");
}

TEST(Batch, TellsARefusalOnce) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++multis;
    return Reaction{};
  };
  server.refuse_row = [&](std::string_view row) -> std::optional<Reaction> {
    if (row == "bad") return Reaction{.exception = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException"};
    if (row == "hot" && multis <= 2) return Busy();
    return std::nullopt;
  };
  const auto client = ClientOf(server.Options());
  const auto refused = Write(client.get(), {{"bad", "1"}, {"hot", "1"}, {"hot", "2"}});
  ASSERT_TRUE(refused.ok());
  ASSERT_EQ(refused->size(), 1U);
  EXPECT_EQ(refused->front().index, 0U);
}

TEST(Batch, BlamesNoRowForAnExceptionThatEachHas) {
  std::atomic<bool> first = true;
  FakeHBase server;
  server.refuse_action = [&](std::string_view, std::string_view value) -> std::optional<Reaction> {
    // As when one cell is too large for HBase: all actions of the region have its exception.
    if (!first && value != "big") return std::nullopt;
    return TooLarge();
  };
  server.react = [&, multis = 0](const std::string& method, const std::string&) mutable {
    if (method == "Multi") first = multis++ == 0;
    return Reaction{};
  };
  const auto client = ClientOf(server.Options());
  const auto refused = Write(client.get(), {{"r5", "a"}, {"r6", "big"}, {"r7", "b"}});
  ASSERT_TRUE(refused.ok());
  ASSERT_EQ(refused->size(), 1U);
  EXPECT_EQ(refused->front().index, 1U);
  EXPECT_EQ(server.rows(), 2U);
}

/// Random puts of few rows; actions and regions have passing exceptions, some actions lasting ones.
void TryRandomPuts(uint32_t seed) {
  std::mt19937 random(seed);
  const bool nameless = random() % 2 == 0;
  std::set<std::string> bad;
  FakeHBase server({"m"});
  std::vector<RowAndValue> puts;
  const size_t count = 1 + random() % 40;
  for (size_t i = 0; i < count; ++i) {
    puts.push_back({std::string(1, static_cast<char>('k' + random() % 5)), std::to_string(i)});
    if (random() % 8 == 0) bad.insert(puts.back().value);
  }
  server.refuse_action = [&](std::string_view, std::string_view value) -> std::optional<Reaction> {
    if (random() % 6 == 0) return Busy();
    if (!bad.contains(std::string(value))) return std::nullopt;
    return nameless ? TooLarge()
                    : Reaction{.exception = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException"};
  };
  server.refuse_region = [&](std::string_view) { return random() % 40 == 0 ? std::optional(Busy()) : std::nullopt; };
  ClusterOptions options = server.Options();
  options.retry_for = milliseconds(60'000);
  const auto refused = Write(ClientOf(options).get(), puts);
  ASSERT_TRUE(refused.ok()) << refused.status().ToString();
  std::map<std::string, std::string> expected;
  for (const RowAndValue& put : puts) {
    if (!bad.contains(put.value)) expected[put.row] = put.value;
  }
  for (const auto& [row, value] : expected) EXPECT_EQ(server.ValueOf(row), value) << "seed " << seed;
  std::multiset<std::string> told;
  for (const Refusal& one : *refused) told.insert(puts[one.index].value);
  EXPECT_EQ(told, std::multiset<std::string>(bad.begin(), bad.end())) << "seed " << seed;
}

/// Whatever passes and whatever is refused: each row ends with the last of its actions that is not refused, and each
/// refused action is told once.
TEST(Batch, LeavesEachRowAsItsLastActionDoes) {
  constexpr uint32_t kAtOnce = 20;
  for (uint32_t begin = 0; begin < 3 * kAtOnce; begin += kAtOnce) {
    std::vector<std::thread> threads;  // most of their time is pauses
    for (uint32_t i = 0; i < kAtOnce; ++i) threads.emplace_back(TryRandomPuts, begin + i);
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(Batch, PausesAfterAnswersThatBringNothing) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) -> Reaction {
    if (method != "Multi" || ++multis == 1) return {};
    return {.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.RetryImmediatelyException"};
  };
  const auto client = ClientOf(server.Options());
  std::vector<GetSpec> gets;
  for (int i = 0; i < 4'100; ++i) gets.push_back({.row = "r" + std::to_string(i)});
  const Permission permission = [&] { return multis > 500 ? Status(StatusCode::kFenced, "too many") : Status(); };
  EXPECT_EQ(client->Get("t", gets, permission).status().code(), StatusCode::kUnavailable);
  EXPECT_LT(multis, 200);
}

TEST(Batch, GetsOnAsLongAsEachAnswerBringsSomething) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++multis;
    return Reaction{};
  };
  server.refuse_row = [&](std::string_view row) -> std::optional<Reaction> {
    if (std::stoi(std::string(row)) == multis - 1) return std::nullopt;
    return Reaction{.exception = "org.apache.hadoop.hbase.MultiActionResultTooLarge"};
  };
  const auto client = ClientOf(server.Options());
  std::vector<GetSpec> gets;
  for (int i = 0; i < 16; ++i) gets.push_back({.row = std::to_string(i)});
  const auto begin = steady_clock::now();
  EXPECT_TRUE(client->Get("t", gets, kGranted).ok());
  EXPECT_EQ(multis, 16);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(10'000));
}

TEST(Batch, WritesToOtherRegionsWhileNoServerHasOne) {
  std::vector<std::string> keys;
  for (char key = 'b'; key <= 'u'; ++key) keys.emplace_back(1, key);
  std::atomic<int> lookups = 0;
  FakeHBase server(keys);
  server.answer_meta = [&](const pb::ScanRequest& request, pb::ScanResponse* response, std::string* cells) {
    if (request.scan().reversed()) ++lookups;
    if (!request.scan().reversed() || !request.scan().start_row().starts_with("t,a")) return false;
    AddRegion("", "b", "", response, cells);
    return true;
  };
  const auto client = ClientOf(server.Options());
  std::vector<RowAndValue> puts;
  for (int i = 0; i < 100; ++i) puts.push_back({"a" + std::to_string(i), "1"});
  for (const std::string& key : keys) puts.push_back({key, "1"});
  const Status status = Write(client.get(), puts).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("no region server has region x of table t"));
  EXPECT_EQ(server.rows(), keys.size());
  EXPECT_LT(lookups, 60) << "one for each region, and one more of that region in each round";
}

TEST(Batch, AsksASilentMetaOnceForAllRows) {
  std::vector<std::string> keys;
  for (char key = 'b'; key <= 'u'; ++key) keys.emplace_back(1, key);
  std::atomic<bool> silent = false;
  FakeHBase server(keys), of_regions(keys);
  server.SetLocation("127.0.0.1", of_regions.port(), 1);
  server.react = [&](const std::string& method, const std::string&) {
    return Reaction{.kind = silent && method == "Meta" ? Kind::kSilence : Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.call_timeout = milliseconds(2'000);
  const auto client = ClientOf(options);
  ASSERT_TRUE(Write(client.get(), {{"z", "1"}}).ok());
  silent = true;
  std::vector<RowAndValue> puts;
  for (const std::string& key : keys) puts.push_back({key, "1"});
  puts.push_back({"z", "2"});
  const auto begin = steady_clock::now();
  EXPECT_EQ(Write(client.get(), puts).status().code(), StatusCode::kUnavailable);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(30'000)) << "20 lookups would take 40 s in each round";
  EXPECT_EQ(of_regions.ValueOf("z"), "2");
}

TEST(Batch, AsksForTheStateOfATableOnceForAllRegionsOfAnAnswer) {
  std::vector<std::string> keys;
  for (char key = 'b'; key <= 'u'; ++key) keys.emplace_back(1, key);
  std::atomic<int> multis = 0;
  FakeHBase server(keys);
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++multis;
    return Reaction{};
  };
  server.refuse_region = [&](std::string_view) -> std::optional<Reaction> {
    if (multis > 3) return std::nullopt;
    return Reaction{.exception = "org.apache.hadoop.hbase.NotServingRegionException"};
  };
  std::vector<RowAndValue> puts;
  for (const std::string& key : keys) puts.push_back({key, "1"});
  const auto client = ClientOf(server.Options());
  ASSERT_TRUE(Write(client.get(), puts).ok());
  EXPECT_GT(server.CallsOf("State"), 0);
  EXPECT_LE(server.CallsOf("State"), server.CallsOf("Multi")) << "not for each of 20 regions";
}

TEST(Batch, EndsThoughALaterActionOfTheRowIsDoneEachTime) {
  std::atomic<int> multis = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    if (method == "Multi") ++multis;
    return Reaction{};
  };
  server.refuse_action = [](std::string_view, std::string_view value) -> std::optional<Reaction> {
    if (value == "1") return Reaction{.exception = "org.apache.hadoop.hbase.MultiActionResultTooLarge"};
    return std::nullopt;
  };
  const Permission permission = [&] { return multis > 500 ? Status(StatusCode::kFenced, "too many") : Status(); };
  const auto client = ClientOf(server.Options());
  EXPECT_EQ(Write(client.get(), {{"hot", "1"}, {"hot", "2"}}, permission).status().code(), StatusCode::kUnavailable);
}

TEST(Batch, MakesCallsSmallerThatAreRefusedAsAWhole) {
  for (const bool two_regions : {true, false}) {
    std::atomic<int> multis = 0;
    FakeHBase server(two_regions ? std::vector<std::string>{"m"} : std::vector<std::string>());
    server.react = [&](const std::string& method, const std::string&) {
      if (method != "Multi" || ++multis > 1) return Reaction{};
      return Reaction{.kind = Kind::kException,
                      .exception = "org.apache.hadoop.hbase.exceptions.RequestTooBigException",
                      .text = "too big",
                      .do_not_retry = true};
    };
    const auto client = ClientOf(server.Options());
    const auto refused = Write(client.get(), {{"a", "1"}, {"b", "1"}, {"y", "1"}, {"z", "1"}});
    ASSERT_TRUE(refused.ok()) << refused.status().ToString();
    EXPECT_TRUE(refused->empty());
    EXPECT_EQ(server.rows(), 4u);
    EXPECT_EQ(multis, 3) << "all, and each region or half of it alone";
  }
}

TEST(Lookup, ReadsPastAnyNumberOfParentsOfSplits) {
  FakeHBase server;
  server.answer_meta = [&](const pb::ScanRequest& request, pb::ScanResponse* response, std::string* cells) {
    if (!request.scan().reversed()) return false;
    const std::string host = "127.0.0.1:" + std::to_string(server.port());
    uint32_t sent = 0;
    for (char start = 'n'; start >= 'b' && sent < request.limit_of_rows(); --start) {
      if (!IsAsked(request.scan(), std::string(1, start))) continue;
      AddRegion(std::string(1, start), std::string(1, static_cast<char>(start + 1)), host, response, cells, true);
      ++sent;
    }
    if (sent < request.limit_of_rows()) AddRegion("", "", host, response, cells);
    return true;
  };
  const auto client = ClientOf(server.Options());
  EXPECT_TRUE(Write(client.get(), {{"o", "1"}}).ok());
  EXPECT_EQ(server.ValueOf("o"), "1");
}

TEST(Lookup, EndsAtAHoleBetweenRegions) {
  std::atomic<int> lookups = 0;
  FakeHBase server;
  server.answer_meta = [&](const pb::ScanRequest& request, pb::ScanResponse* response, std::string* cells) {
    if (!request.scan().reversed()) return false;
    ++lookups;
    uint32_t sent = 0;
    for (int i = 999; i >= 100 && sent < request.limit_of_rows(); --i) {
      const std::string start = "k" + std::to_string(i);
      if (!IsAsked(request.scan(), start)) continue;
      const std::string end = i == 999 ? "l" : "k" + std::to_string(i + 1);
      AddRegion(start, end, "127.0.0.1:" + std::to_string(server.port()), response, cells);
      ++sent;
    }
    return true;
  };
  ClusterOptions options = server.Options();
  options.retry_for = milliseconds(0);
  const auto client = ClientOf(options);
  const Status status = Write(client.get(), {{"z", "1"}}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("has no region of table t for row z"));
  EXPECT_LE(lookups, 2);
}

TEST(Lookup, IsRepeatedAfterAnAnswerThatCannotBeRead) {
  for (const uint32_t cells_of_row : {3U, 0xffffffffU}) {
    std::atomic<int> lookups = 0;
    FakeHBase server;
    server.answer_meta = [&](const pb::ScanRequest& request, pb::ScanResponse* response, std::string*) {
      if (!request.scan().reversed() || lookups++ > 0) return false;
      response->add_cells_per_result(cells_of_row);
      return true;
    };
    const auto client = ClientOf(server.Options());
    const auto written = Write(client.get(), {{"o", "1"}});
    EXPECT_TRUE(written.ok()) << written.status().ToString();
  }
}

}  // namespace
}  // namespace fensi::hbase
