// The limits of the client: how often it follows a move, how long it leaves an overloaded server alone, and how many
// calls, actions and bytes it sends to a server at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "hbase/cluster.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Reaction Exception(const std::string& name, const std::string& text = "") {
  return {.kind = Reaction::Kind::kException, .exception = "org.apache.hadoop.hbase." + name, .text = text};
}

Reaction MovedTo(int port, int64_t sequence) {
  return Exception("exceptions.RegionMovedException",
                   "Region moved to: hostname=127.0.0.1 port=" + std::to_string(port) +
                       " startCode=1. As of locationSeqNum=" + std::to_string(sequence) + ".");
}

/// Servers that remember moves from before a merge lead in circles.
TEST(Move, IsFollowedOnceAndThenMetaIsAsked) {
  FakeHBase former, between, server;
  former.react = [&](const std::string& method, const std::string&) {
    return method == "Multi" ? MovedTo(between.port(), 2) : Reaction{};
  };
  between.react = [&](const std::string& method, const std::string&) {
    former.SetLocation("127.0.0.1", server.port(), 4);
    return method == "Multi" ? MovedTo(server.port(), 3) : Reaction{};
  };
  const auto client = ClientOf(former.Options());
  EXPECT_TRUE(WriteRows(client.get(), {"a"}).ok());
  EXPECT_EQ(server.ValueOf("a"), "a");
  EXPECT_EQ(former.CallsOf("Meta"), 2);
}

TEST(StoppedServer, IsForgottenForAllItsRegions) {
  for (const char* name : {"regionserver.RegionServerStoppedException", "regionserver.RegionServerAbortedException",
                           "ipc.ServerNotRunningYetException"}) {
    std::atomic<bool> stopped = false;
    FakeHBase former({"m"}), server({"m"});
    former.react = [&](const std::string& method, const std::string&) {
      return stopped && method == "Multi" ? Exception(name) : Reaction{};
    };
    const auto client = ClientOf(former.Options());
    ASSERT_TRUE(WriteRows(client.get(), {"a", "z"}).ok());
    stopped = true;
    former.SetLocation("127.0.0.1", server.port(), 2);
    EXPECT_TRUE(WriteRows(client.get(), {"a"}).ok());
    EXPECT_TRUE(WriteRows(client.get(), {"z"}).ok());
    EXPECT_EQ(server.rows(), 2U);
    EXPECT_EQ(former.CallsOf("Multi"), 2) << name;
  }
}

TEST(OverloadedServer, IsLeftAloneForAWhile) {
  const std::vector<Reaction> reactions = {Exception("CallQueueTooBigException"),
                                           Exception("CallDroppedException"),
                                           {.kind = Reaction::Kind::kException,
                                            .exception = "org.apache.hadoop.hbase.RegionTooBusyException",
                                            .overloaded = true}};
  for (const Reaction& reaction : reactions) {
    std::atomic<int> left = 1;
    FakeHBase server;
    server.react = [&](const std::string& method, const std::string&) {
      return method == "Multi" && left-- > 0 ? reaction : Reaction{};
    };
    const auto client = ClientOf(server.Options());
    const auto begin = steady_clock::now();
    EXPECT_TRUE(WriteRows(client.get(), {"a"}).ok());
    EXPECT_GE(steady_clock::now() - begin, milliseconds(200)) << reaction.exception;
  }
}

TEST(Batch, HasFourCallsInFlightToAServer) {
  FakeHBase server;
  server.react = [](const std::string& method, const std::string&) {
    return Reaction{.kind = method == "Multi" ? Reaction::Kind::kDelay : Reaction::Kind::kAnswer};
  };
  const auto client = ClientOf(server.Options());
  std::vector<std::string> rows;
  for (int i = 0; i < 40'000; ++i) rows.push_back(std::to_string(i));
  EXPECT_TRUE(WriteRows(client.get(), rows).ok());
  EXPECT_EQ(server.CallsOf("Multi"), 10);
  EXPECT_LE(server.most_at_once(), 4);
  EXPECT_EQ(server.rows(), rows.size());
}

TEST(Batch, MakesCallsOfAtMostFourMebibytes) {
  FakeHBase server;
  const auto client = ClientOf(server.Options());
  const std::vector<Cell> large = {PutOf(std::string(3 << 19, 'x'))};
  const std::vector<std::string> rows = {"a", "b", "c", "d"};
  std::vector<Mutation> mutations;
  for (const std::string& row : rows) mutations.push_back({row, large});
  ASSERT_TRUE(client->Write("t", mutations, kGranted).ok());
  EXPECT_EQ(server.rows(), 4U);
  EXPECT_EQ(server.CallsOf("Multi"), 2);
}

/// How many cells a row has is unknown before it comes.
TEST(Batch, GetsAHundredWholeRowsOrAThousandColumnsAtOnce) {
  FakeHBase server;
  const auto client = ClientOf(server.Options());
  std::vector<std::string> rows;
  for (int i = 0; i < 2'000; ++i) rows.push_back(std::to_string(i));
  std::vector<GetSpec> whole, columns;
  for (const std::string& row : rows) {
    whole.push_back({.row = row});
    columns.push_back({.row = row, .columns = {{"f", "q"}}});
  }
  ASSERT_TRUE(client->Get("t", columns, kGranted).ok());
  EXPECT_EQ(server.CallsOf("Multi"), 2);
  ASSERT_TRUE(client->Get("t", whole, kGranted).ok());
  EXPECT_EQ(server.CallsOf("Multi"), 2 + 20);
}

/// The server brings a part of the row and then loses its scanner.
TEST(Scan, ReadsARowThatBeganFromItsBeginAgain) {
  std::atomic<int> scans = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    return method == "Scan" && ++scans == 2 ? Exception("UnknownScannerException") : Reaction{};
  };
  server.on_scan = [&](const proto::hbase::ScanRequest&, proto::hbase::ScanResponse* response, std::string* cells) {
    const bool part = scans == 1;
    response->set_scanner_id(1);
    response->set_more_results(true);
    response->set_more_results_in_region(part);
    response->add_cells_per_result(part ? 1 : 2);
    response->add_partial_flag_per_result(part);
    *cells += CellBytes("r", "a") + (part ? "" : CellBytes("r", "b"));
    return true;
  };
  const auto page = ClientOf(server.Options())->Scan("t", {}, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  ASSERT_EQ(page->rows.size(), 1U);
  EXPECT_EQ(page->rows.front().count, 2U);
}

}  // namespace
}  // namespace fensi::hbase
