// Read points of regions, as the client asks for them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "hbase/cluster.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"

namespace fensi::hbase {
namespace {

using Kind = Reaction::Kind;

Result<std::vector<ReadPoint>> PointsOf(Cluster* client, const std::vector<std::string>& rows) {
  std::vector<GetSpec> gets;
  for (const std::string& row : rows) gets.push_back({.row = row});
  std::vector<const GetSpec*> asking;
  for (const GetSpec& get : gets) asking.push_back(&get);
  return client->ReadPoints("t", asking, kGranted);
}

TEST(ReadPoints, ReadsTheReadPointOfEachRegionOnce) {
  FakeHBase server({"g", "p"});
  server.read_point_of = [](const std::string& region) {
    return region.starts_with("t,,") ? 10 : region.starts_with("t,g,") ? 20 : 30;
  };
  const auto client = ClientOf(server.Options());
  const auto points = PointsOf(client.get(), {"z", "a", "h", "g", "p", "b", "f"});
  ASSERT_TRUE(points.ok()) << points.status().ToString();
  std::vector<uint64_t> numbers;
  for (const ReadPoint& point : *points) numbers.push_back(point.number);
  EXPECT_EQ(numbers, (std::vector<uint64_t>{30, 10, 20, 20, 30, 10, 10}));
  EXPECT_EQ((*points)[2].region, "x1") << "the encoded name";
  EXPECT_EQ(server.CallsOf("Scan"), 3);
}

TEST(ReadPoints, ReadsTheReadPointWhereTheRegionIsNow) {
  FakeHBase former({"m"}), next;
  next.read_point_of = [](const std::string&) { return 20; };
  former.react = [&](const std::string& method, const std::string& region) {
    if (method != "Scan" || !region.starts_with("t,m,")) return Reaction{};
    former.SetLocation("127.0.0.1", next.port(), 2);
    return Reaction{.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.NotServingRegionException"};
  };
  const auto client = ClientOf(former.Options());
  const auto points = PointsOf(client.get(), {"a", "z"});
  ASSERT_TRUE(points.ok()) << points.status().ToString();
  EXPECT_EQ((*points)[0].number, 77U);
  EXPECT_EQ((*points)[1].number, 20U);
}

TEST(ReadPoints, AsksASilentMetaOnceForAllRows) {
  std::atomic<bool> silent = false;
  FakeHBase server({"g", "p"});
  server.react = [&](const std::string& method, const std::string&) {
    return Reaction{.kind = silent && method == "Meta" ? Kind::kSilence : Kind::kAnswer};
  };
  ClusterOptions options = server.Options();
  options.lookup_timeout = std::chrono::milliseconds(300);
  const auto client = ClientOf(options);
  ASSERT_TRUE(PointsOf(client.get(), {"a"}).ok());
  silent = true;
  std::vector<std::string> rows;
  for (int i = 0; i < 100; ++i) rows.push_back((i % 2 == 0 ? "a" : "z") + std::to_string(i));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(PointsOf(client.get(), rows).status().code(), StatusCode::kUnavailable);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(12)) << "50 lookups would take 15 s a round";
}

}  // namespace
}  // namespace fensi::hbase
