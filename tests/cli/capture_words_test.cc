#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/capture/hints.h"
#include "cli/capture/own_tables.h"
#include "cli/capture/plan.h"
#include "cli/capture/settings.h"

namespace fensi::cli {
namespace {

using capture::Peer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CaptureFacts Facts(int64_t connections_ever = 0) {
  return {.tables = {"guanzhu"},
          .root = "/fensi",
          .cluster_key = "zk:2181:/fensi",
          .address = "here:1",
          .connections_ever = connections_ever};
}

TEST(CaptureHints, AMissingPeerIsNamed) {
  const Peer other{.id = "other", .cluster_key = "zk:2181:/else"};
  EXPECT_THAT(HintsFrom(Facts(), {other}),
              ElementsAre(HasSubstr("no replication peer has the cluster key \"zk:2181:/fensi\"")));
}

TEST(CaptureHints, ADisabledPeerAndAMissingTableAreNamedWithTheLineForTheShell) {
  const Peer peer{.id = "p", .cluster_key = "zk:2181:/fensi", .enabled = false, .all_tables = false, .tables = {"t"}};
  EXPECT_THAT(HintsFrom(Facts(), {peer}),
              ElementsAre(HasSubstr("enable_peer 'p'"), HasSubstr("append_peer_tableCFs 'p', {\"guanzhu\" => []}")));
}

TEST(CaptureHints, ASerialPeerIsNamedWithTheLineForTheShell) {
  const Peer peer{.id = "p", .cluster_key = "zk:2181:/fensi", .serial = true};
  EXPECT_THAT(HintsFrom(Facts(), {peer}),
              ElementsAre(HasSubstr("--announce"), HasSubstr("set_peer_serial 'p', false")));
}

TEST(CaptureHints, OfAGoodPeerTellWhetherAnybodyCame) {
  const Peer peer{.id = "p", .cluster_key = "zk:2181:/fensi"};
  EXPECT_THAT(HintsFrom(Facts(), {peer}), ElementsAre(HasSubstr("cannot reach here:1 (--announce)")));
  EXPECT_THAT(HintsFrom(Facts(3), {peer}), ElementsAre(HasSubstr("are connected and send no edits")));
}

TEST(CaptureSettings, ClusterKeyIsAsTheShellWantsIt) {
  EXPECT_EQ(ClusterKey("zk1:2181,zk2:2181", "/fensi"), "zk1,zk2:2181:/fensi");
  EXPECT_EQ(ClusterKey("zk1:2181,zk2:2182", "/f/g"), "zk1:2181,zk2:2182:2182:/f/g");
}

TEST(CaptureSettings, TopicIsNamedAfterTheTable) {
  EXPECT_EQ(TopicOfTable("{table}", "ns:t"), "ns.t");
  EXPECT_EQ(TopicOfTable("hbase.{table}.v1", "t"), "hbase.t.v1");
  EXPECT_EQ(TopicOfTable("all", "t"), "all");
}

TEST(CapturePlan, HasTheLinesForTheShell) {
  const std::string text = CapturePlanText({{"a", {"f1", "f2"}}, {"ns:b", {}}}, "fensi", "zk:2181:/fensi");
  EXPECT_THAT(text, HasSubstr("alter 'a', {NAME => 'f2', REPLICATION_SCOPE => '1'}\n"));
  EXPECT_THAT(text, HasSubstr("add_peer 'fensi', CLUSTER_KEY => \"zk:2181:/fensi\", TABLE_CFS => {\"a\" => [], "
                              "\"ns:b\" => []}\n"));
  EXPECT_THAT(text, HasSubstr("replication.source.sleepforretries"));
}

TEST(OwnTables, AreRefusedByName) {
  EXPECT_EQ(RefuseOwnTables({"guanzhu", "fensi_state"}, {}).code(), StatusCode::kConfiguration);
  EXPECT_TRUE(RefuseOwnTables({"guanzhu"}, {}).ok());
}

}  // namespace
}  // namespace fensi::cli
