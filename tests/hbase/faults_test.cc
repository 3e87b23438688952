// The client against servers that are at fault in a particular way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "hbase/cluster.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"
#include "tests/support/loopback.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;

Reaction FinalError(const std::string& text) {
  return {.kind = Reaction::Kind::kException,
          .exception = "org.apache.hadoop.hbase.DoNotRetryIOException",
          .text = text,
          .do_not_retry = true};
}

TEST(FinalError, OfAReadIsUnavailableBecauseItPassesWhenTheTableIsRepaired) {
  for (const char* method : {"Scan", "Meta"}) {
    FakeHBase server;
    server.react = [&](const std::string& called, const std::string&) {
      return called == method ? FinalError("java.io.FileNotFoundException: File does not exist") : Reaction{};
    };
    const auto client = ClientOf(server.Options());
    const Status status = client->Scan("t", {}, kGranted).status();
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << method << ": " << status.ToString();
    EXPECT_THAT(status.message(), ::testing::HasSubstr("File does not exist"));
  }
}

TEST(FinalError, OfAConditionalPutToAReadOnlyTableIsUnavailable) {
  FakeHBase server;
  server.react = [](const std::string& called, const std::string&) {
    return called == "Mutate" ? FinalError("region is read only") : Reaction{};
  };
  const auto client = ClientOf(server.Options());
  EXPECT_EQ(ChangeRow(client.get(), "a", "", "v").status().code(), StatusCode::kUnavailable);
}

/// An empty label is refused without a question to DNS.
TEST(Registry, OfZooKeeperWhoseNameDoesNotResolveNowIsUnavailable) {
  const std::vector<ServerAddress> unknown = {{"no..such.host", 2181}};
  for (const std::vector<ServerAddress>& servers : {unknown, {unknown.front(), {"127.0.0.1", 1}}}) {
    ClusterOptions options{.registry = {.servers = servers, .znode = "/hbase"}};
    options.call_timeout = milliseconds(500);
    options.retry_for = milliseconds(0);
    const Status status = ReadRow(ClientOf(options).get(), "a");
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  }
}

TEST(Registry, OfMastersOfWhichOneRefusesUsAsksTheOthers) {
  FakeHBase refusing, good;
  refusing.react = [](const std::string&, const std::string&) {
    return Reaction{.kind = Reaction::Kind::kException,
                    .exception = "org.apache.hadoop.hbase.security.AccessDeniedException",
                    .text = "not you",
                    .do_not_retry = true};
  };
  ClusterOptions options = good.Options();
  const ServerAddress bad{"127.0.0.1", static_cast<uint16_t>(refusing.port())};
  options.registry.servers.insert(options.registry.servers.begin(), bad);
  EXPECT_TRUE(ReadRow(ClientOf(options).get(), "a").ok());
  options.registry.servers = {bad};
  const Status refused = ReadRow(ClientOf(options).get(), "a");
  EXPECT_EQ(refused.code(), StatusCode::kPermission) << refused.ToString();
  options.registry.servers = {bad, {"127.0.0.1", 1}};
  const Status away = ReadRow(ClientOf(options).get(), "a");
  EXPECT_EQ(away.code(), StatusCode::kUnavailable) << away.ToString();
  EXPECT_THAT(away.message(), ::testing::HasSubstr("not you"));
}

TEST(Lookup, InASilentMetaEndsBeforeTheTimeOfTheCall) {
  FakeHBase server;
  server.react = [](const std::string& method, const std::string&) {
    return Reaction{.kind = method == "Meta" ? Reaction::Kind::kSilence : Reaction::Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.call_timeout = std::chrono::hours(1);
  options.lookup_timeout = milliseconds(200);
  options.retry_for = milliseconds(0);
  EXPECT_EQ(ReadRow(ClientOf(options).get(), "a").code(), StatusCode::kUnavailable);
  // The registry, hbase:meta and its next server have one time together.
  EXPECT_EQ(server.CallsOf("Meta"), 1);
}

TEST(Lookup, ThatIsLateEndsNoOtherCall) {
  std::atomic<bool> slow = false;
  FakeHBase server({"m"});
  server.react = [&](const std::string& method, const std::string&) {
    if (slow && method == "Mutate") std::this_thread::sleep_for(milliseconds(1'500));
    return Reaction{.kind = slow && method == "Meta" ? Reaction::Kind::kSilence : Reaction::Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.lookup_timeout = milliseconds(300);
  options.retry_for = milliseconds(0);
  const auto client = ClientOf(options);
  ASSERT_TRUE(ReadRow(client.get(), "a").ok());
  slow = true;
  std::thread other([&] { EXPECT_TRUE(ChangeRow(client.get(), "a", "", "v").ok()); });
  while (server.CallsOf("Mutate") == 0) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_FALSE(ReadRow(client.get(), "z").ok());
  other.join();
}

TEST(Lookup, ThatEndsWithAnExceptionBlocksNoLaterOne) {
  FakeHBase server;
  ClusterOptions options = server.Options();
  options.lookup_timeout = milliseconds(500);
  int thrown = 0;
  for (int at = 1; at <= 6; ++at) {  // within the queries of the registry and of hbase:meta, and in the call itself
    const auto client = ClientOf(options);
    int asked = 0;
    const Permission short_of_memory = [&, caller = std::this_thread::get_id()] {
      if (std::this_thread::get_id() == caller && ++asked == at) throw std::bad_alloc();
      return Status();
    };
    const GetSpec get{.row = "a", .columns = {{"f", "q"}}};
    try {
      static_cast<void>(client->Get("t", std::span(&get, 1), short_of_memory));
    } catch (const std::bad_alloc&) {
      ++thrown;
    }
    const Status status = ReadRow(client.get(), "a");
    EXPECT_TRUE(status.ok()) << at << ": " << status.ToString();
  }
  EXPECT_GE(thrown, 3);
}

TEST(Lookup, OfATableWithoutRegionsIsUnavailableIfTheTableExists) {
  FakeHBase server;
  server.answer_meta = [](const proto::hbase::ScanRequest& request, proto::hbase::ScanResponse*, std::string*) {
    return request.scan().reversed();  // without a row
  };
  ClusterOptions options = server.Options();
  options.retry_for = milliseconds(0);
  const Status status = ReadRow(ClientOf(options).get(), "a");
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_THAT(status.message(), ::testing::HasSubstr("although the table exists"));
}

TEST(Scan, WhoseCloseIsNotAnsweredLeavesRoomForOthers) {
  std::atomic<bool> silent = false;
  FakeHBase server;
  server.rows_of_answer = 1;
  server.react = [&](const std::string& method, const std::string& region) {
    const bool is_close = silent && method == "Scan" && region.empty();
    return Reaction{.kind = is_close ? Reaction::Kind::kSilence : Reaction::Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.calls_in_flight = 2;
  options.call_timeout = milliseconds(5'000);
  options.retry_for = milliseconds(0);
  const auto client = ClientOf(options);
  ASSERT_TRUE(WriteRows(client.get(), {"a", "b", "c"}).ok());
  silent = true;
  ScanSpec spec;
  spec.max_cells = 1;  // the page is full, and its scanner open
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(client->Scan("t", spec, kGranted).ok());
  EXPECT_TRUE(WriteRows(client.get(), {"d"}).ok());
}

TEST(Refusal, OfOneServerCountsWhenItHasLastedWhateverOthersDo) {
  const auto after = [](int seconds) { return std::chrono::steady_clock::time_point(std::chrono::seconds(seconds)); };
  const Status refused(StatusCode::kPermission, "no");
  RefusalWindow window;
  EXPECT_EQ(window.Judge("a", refused, after(0)).code(), StatusCode::kPermission) << "none has accepted us";
  EXPECT_TRUE(window.Judge("b", {}, after(0)).ok());
  EXPECT_EQ(window.Judge("a", refused, after(1)).code(), StatusCode::kUnavailable);
  EXPECT_TRUE(window.Judge("b", {}, after(20)).ok());
  EXPECT_EQ(window.Judge("a", refused, after(30)).code(), StatusCode::kUnavailable);
  EXPECT_EQ(window.Judge("b", refused, after(31)).code(), StatusCode::kUnavailable) << "its first";
  EXPECT_EQ(window.Judge("a", refused, after(31)).code(), StatusCode::kPermission);
  EXPECT_EQ(window.Judge("a", refused, after(3'600)).code(), StatusCode::kUnavailable) << "another trouble";
  EXPECT_TRUE(window.Judge("a", {}, after(3'601)).ok());
  EXPECT_EQ(window.Judge("a", refused, after(3'640)).code(), StatusCode::kUnavailable);
}

TEST(FirstAnswer, ComesFromASlowServerThoughTheTimeForItIsOver) {
  FakeHBase server;
  server.react = [](const std::string&, const std::string&) { return Reaction{.kind = Reaction::Kind::kDelay}; };
  ClusterOptions options = server.Options();
  options.first_answer = milliseconds(1);
  const auto client = ClientOf(options);
  std::this_thread::sleep_for(milliseconds(2));
  Status status;
  for (int i = 0; i < 8 && (i == 0 || !status.ok()); ++i) status = ReadRow(client.get(), "a");
  EXPECT_TRUE(status.ok()) << status.ToString();
}

/// Accepts connections, and never sends a byte.
class SilentPort {
 public:
  SilentPort() {
    sockaddr_in address = testing::Loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 16), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~SilentPort() { close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;
  int port() const { return port_; }
  /// Somebody has connected.
  bool reached() const {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    return poll(&waiting, 1, 0) == 1;
  }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
};

TEST(FirstAnswer, OfAZooKeeperThatIsAwayOrSilentIsAwaitedOnlyOnce) {
  constexpr milliseconds kTime(2'000);
  const SilentPort silent;
  for (const int port : {1, silent.port()}) {  // no server listens on port 1
    ClusterOptions options{.registry = {.servers = {{"127.0.0.1", port}}, .znode = "/hbase"}};
    options.first_answer = kTime;
    const auto client = ClientOf(options);
    const auto begin = std::chrono::steady_clock::now();
    const Status status = client->admin(kGranted).Describe("t").status();
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
    EXPECT_THAT(status.message(), ::testing::HasSubstr("127.0.0.1:" + std::to_string(port)));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kTime * 7 / 4) << status.ToString();
  }
}

/// Their order is random. Any of them could be the one that answers.
TEST(FirstAnswer, OfZooKeepersIsAskedOfEachInTheTimeOfOneCall) {
  const SilentPort servers[3];
  ClusterOptions options{.registry = {.znode = "/hbase"}};
  for (const SilentPort& server : servers) options.registry.servers.push_back({"127.0.0.1", server.port()});
  options.first_answer = milliseconds(3'000);
  EXPECT_EQ(ClientOf(options)->admin(kGranted).Describe("t").status().code(), StatusCode::kUnavailable);
  for (const SilentPort& server : servers) EXPECT_TRUE(server.reached()) << server.port();
}

TEST(Permission, IsAskedWhenAWaitingCallIsSent) {
  std::atomic<bool> holds = false, lost = false;
  std::shared_ptr<Cluster> client;
  std::string address;
  FakeHBase server;
  address = "127.0.0.1:" + std::to_string(server.port());
  server.react = [&](const std::string& method, const std::string&) {
    if (method != "Multi" || !holds) return Reaction{};
    while (client->Counts().at(address).waiting == 0) std::this_thread::sleep_for(milliseconds(1));
    lost = true;  // the answer lets the waiting call go
    return Reaction{};
  };
  ClusterOptions options = server.Options();
  options.calls_in_flight = 1;
  client = ClientOf(options);
  ASSERT_TRUE(WriteRows(client.get(), {"a"}).ok());
  holds = true;
  std::thread first([&] { EXPECT_TRUE(WriteRows(client.get(), {"a"}).ok()); });
  while (server.CallsOf("Multi") < 2) std::this_thread::sleep_for(milliseconds(1));
  const std::vector<Cell> cells = {PutOf("v")};
  const Mutation mutation{"b", cells};
  const Permission permission = [&] { return lost ? Status(StatusCode::kFenced, "lost") : Status(); };
  const Status status = client->Write("t", std::span(&mutation, 1), permission).status();
  first.join();
  holds = false;
  EXPECT_EQ(status.code(), StatusCode::kFenced) << status.ToString();
  EXPECT_TRUE(ReadRow(client.get(), "a").ok());  // whatever was sent before is there now
  EXPECT_EQ(server.ValueOf("b"), "");
  EXPECT_EQ(client->Counts().at(address).waiting, 0);
}

TEST(LargeAnswer, OfAGetIsDroppedAndItsRowsAreReadByScans) {
  std::atomic<bool> large = false;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    return Reaction{.kind = large && method == "Multi" ? Reaction::Kind::kLarge : Reaction::Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.most_answer_bytes = Reaction::kLargeBytes / 2;
  const auto client = ClientOf(options);
  ASSERT_TRUE(WriteRows(client.get(), {"a", "b", "c"}).ok());
  large = true;
  std::vector<GetSpec> gets;
  for (const char* row : {"a", "b", "c"}) gets.push_back({.row = row});
  const auto rows = client->Get("t", gets, kGranted);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  for (size_t i = 0; i < gets.size(); ++i) {
    ASSERT_EQ((*rows)[i].cells.size(), 1U);
    EXPECT_EQ((*rows)[i].cells.front().value, gets[i].row);
  }
  EXPECT_EQ(server.connections(), 3U);  // of the registry, of lookups, and of everything else
}

TEST(LargeAnswer, OfAScanIsAskedForInPieces) {
  std::atomic<int> large = 1;
  std::atomic<size_t> least = SIZE_MAX;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    return Reaction{.kind = method == "Scan" && large-- > 0 ? Reaction::Kind::kLarge : Reaction::Kind::kAnswer};
  };
  server.on_scan = [&](const proto::hbase::ScanRequest& request, proto::hbase::ScanResponse*, std::string*) {
    least = std::min<size_t>(least, request.scan().max_result_size());
    return false;
  };
  ClusterOptions options = server.Options();
  options.most_answer_bytes = Reaction::kLargeBytes / 2;
  const auto client = ClientOf(options);
  ASSERT_TRUE(WriteRows(client.get(), {"a", "b"}).ok());
  const ScanSpec spec;
  const auto page = client->Scan("t", spec, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_EQ(page->rows.size(), 2U);
  EXPECT_LT(least, spec.answer_bytes);
}

TEST(LargeAnswer, OfAWriteSaysNothingOfItsRows) {
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    const bool writes = method == "Multi" || method == "Mutate";
    return Reaction{.kind = writes ? Reaction::Kind::kLarge : Reaction::Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.most_answer_bytes = Reaction::kLargeBytes / 2;
  const auto client = ClientOf(options);
  EXPECT_EQ(WriteRows(client.get(), {"a", "b"}).code(), StatusCode::kUnavailable);
  const Status status = ChangeRow(client.get(), "c", "", "v").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("it is unknown whether HBase changed the row"));
}

TEST(DeniedConnection, IsNamedAsThat) {
  FakeHBase server;
  server.react = [](const std::string& method, const std::string&) {
    if (method != "Multi" && method != "Scan" && method != "GetTableDescriptors") return Reaction{};
    return Reaction{.kind = Reaction::Kind::kFatal,
                    .exception = "org.apache.hadoop.hbase.security.AccessDeniedException",
                    .text = "Authentication is required"};
  };
  const auto client = ClientOf(server.Options());
  EXPECT_EQ(ReadRow(client.get(), "a").code(), StatusCode::kPermission);
  EXPECT_EQ(client->Scan("t", {}, kGranted).status().code(), StatusCode::kPermission);
  EXPECT_EQ(client->admin(kGranted).Describe("t").status().code(), StatusCode::kPermission);
}

TEST(Scan, HoldsNoMemoryOfCellsThatItDoesNotWant) {
  FakeHBase server;
  server.rows_of_answer = 10;
  const auto client = ClientOf(server.Options());
  const std::vector<Cell> large = {PutOf(std::string(1'000, 'x'))}, small = {PutOf("wanted")};
  std::vector<std::string> rows;
  for (int i = 100; i < 200; ++i) rows.push_back("row" + std::to_string(i));
  std::vector<Mutation> mutations;
  for (size_t i = 0; i < rows.size(); ++i) mutations.push_back({rows[i], i % 10 == 5 ? small : large});
  ASSERT_TRUE(client->Write("t", mutations, kGranted).ok());
  ScanSpec spec;
  spec.wanted = [](const CellView& cell) { return cell.value == "wanted"; };
  const auto page = client->Scan("t", spec, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  ASSERT_EQ(page->rows.size(), 10U);
  size_t bytes = 0;
  for (const FrameBytes& frame : page->frames) bytes += frame.size;
  EXPECT_LT(bytes, 1'000U);
  for (size_t i = 0; i < page->rows.size(); ++i) {
    EXPECT_EQ(page->rows[i].row, "row1" + std::to_string(i) + "5");
    ASSERT_EQ(page->rows[i].count, 1U);
    const CellView& cell = page->CellsOf(page->rows[i]).front();
    EXPECT_EQ(std::string(cell.family) + ":" + std::string(cell.qualifier) + "=" + std::string(cell.value),
              "f:q=wanted");
  }
}

TEST(Scan, WithMoreCellsThanItCountsIsRefused) {
  FakeHBase server;
  server.on_scan = [](const proto::hbase::ScanRequest&, proto::hbase::ScanResponse* response, std::string* cells) {
    response->add_cells_per_result(1);
    *cells += CellBytes("r1", "q") + CellBytes("r2", "q");
    return true;
  };
  ClusterOptions options = server.Options();
  options.retry_for = milliseconds(0);
  EXPECT_EQ(ClientOf(options)->Scan("t", {}, kGranted).status().code(), StatusCode::kUnavailable);
}

/// At the limit of one row the server has read r2, the last of the region, and dropped it.
TEST(Scan, ReadsOnInARegionWhoseServerEndedAtTheLimitOfRows) {
  FakeHBase server;
  server.on_scan = [&](const proto::hbase::ScanRequest& request, proto::hbase::ScanResponse* response,
                       std::string* cells) {
    const bool first = request.scan().start_row().empty();
    response->set_scanner_id(1);
    response->set_more_results(!first);
    response->set_more_results_in_region(false);
    response->add_cells_per_result(1);
    response->add_partial_flag_per_result(first);
    *cells += CellBytes(first ? "r1" : "r2", first ? "other" : "q");
    return true;
  };
  const auto client = ClientOf(server.Options());
  ScanSpec spec;
  spec.max_rows = 1;
  spec.wanted = [](const CellView& cell) { return cell.qualifier == "q"; };
  const auto page = client->Scan("t", spec, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  ASSERT_EQ(page->rows.size(), 1U);
  EXPECT_EQ(page->rows.front().row, "r2");
}

TEST(Scan, ClosesItsScannerWhereTheServerDidNotRunACall) {
  std::atomic<int> scans = 0;
  FakeHBase server;
  server.rows_of_answer = 1;
  server.react = [&](const std::string& method, const std::string&) {
    if (method != "Scan" || ++scans != 2) return Reaction{};
    return Reaction{.kind = Reaction::Kind::kException,
                    .exception = "org.apache.hadoop.hbase.CallQueueTooBigException"};
  };
  const auto client = ClientOf(server.Options());
  ASSERT_TRUE(WriteRows(client.get(), {"a", "b", "c"}).ok());
  const auto page = client->Scan("t", {}, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_EQ(page->rows.size(), 3U);
  const auto begin = std::chrono::steady_clock::now();
  while (server.CallsOf("Close") == 0 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(30)) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(server.CallsOf("Close"), 1);
}

}  // namespace
}  // namespace fensi::hbase
