// Registries that know nothing, and a registry that is away.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

#include "hbase/admin.h"
#include "hbase/cluster.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"

namespace fensi::hbase {
namespace {

using Kind = Reaction::Kind;
using std::chrono::milliseconds;

TEST(Registry, AsksTheNextServerIfOneKnowsNothing) {
  FakeHBase first, second;
  first.knows_nothing = true;
  ClusterOptions options = second.Options();
  options.registry.servers = {{"127.0.0.1", first.port()}, {"127.0.0.1", second.port()}};
  const auto client = ClientOf(options);
  EXPECT_TRUE(ReadRow(client.get(), "a").ok());
  EXPECT_TRUE(client->admin(kGranted).Describe("t").ok());
  const Result<std::string> id = client->ClusterId(kGranted);
  ASSERT_TRUE(id.ok()) << id.status().ToString();
  EXPECT_FALSE(id->empty());
}

TEST(Registry, SaysWhatNoServerKnows) {
  FakeHBase server;
  server.knows_nothing = true;
  const auto client = ClientOf(server.Options());
  EXPECT_NE(ReadRow(client.get(), "a").message().find("no region server has hbase:meta"), std::string::npos);
  EXPECT_NE(client->admin(kGranted).Describe("t").status().message().find("no active master"), std::string::npos);
  EXPECT_EQ(client->ClusterId(kGranted).status().code(), StatusCode::kUnavailable);
}

TEST(Registry, MayBeAwayWhileTheServerOfMetaAnswers) {
  std::atomic<bool> gone = false;
  std::atomic<int> late = 0;
  FakeHBase server({"m"});
  server.react = [&](const std::string& method, const std::string&) {
    if (gone && method == "GetMetaRegionLocations") return Reaction{.kind = Kind::kSilence};
    if (method == "Multi" && late.exchange(0) > 0) return Reaction{.kind = Kind::kSilence};
    return Reaction{};
  };
  ClusterOptions options = server.Options();
  options.lookup_timeout = milliseconds(500);
  options.call_timeout = milliseconds(700);
  const auto client = ClientOf(options);
  ASSERT_TRUE(ReadRow(client.get(), "a").ok());
  gone = true;
  late = 1;
  static_cast<void>(ReadRow(client.get(), "a"));  // its call has no answer
  for (const std::string row : {"z", "a"}) {
    Status read = ReadRow(client.get(), row);
    if (!read.ok()) read = ReadRow(client.get(), row);  // the first one waits for the registry
    EXPECT_TRUE(read.ok()) << row << ": " << read.ToString();
  }
}

}  // namespace
}  // namespace fensi::hbase
