#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "daemon/capture/certificates.h"
#include "daemon/capture/own_tables.h"
#include "daemon/capture/plan.h"
#include "daemon/capture/settings.h"
#include "daemon/capture/watch.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

/// What `text` is in a network of its own, as a container has one; absent: this machine does not allow it.
std::optional<std::string> InAnotherNetwork(const std::function<std::string()>& text) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const bool alone = unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
    const std::string seen = alone ? text() : "";
    _exit(write(ends[1], seen.data(), seen.size()) < 0);
  }
  close(ends[1]);
  std::string seen(4096, '\0');
  seen.resize(static_cast<size_t>(std::max<ssize_t>(0, read(ends[0], seen.data(), seen.size()))));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return seen.empty() ? std::nullopt : std::optional(seen);
}

using capture::Peer;

CaptureFacts Facts(int64_t connections_ever = 0) {
  return {.tables = {"guanzhu"},
          .root = "/fensi",
          .cluster_key = "zk:2181:/fensi",
          .address = "here:1",
          .connections_ever = connections_ever};
}

TEST(CaptureHints, AMissingPeerIsNamed) {
  const Peer other{.id = "other", .cluster_key = "zk:2181:/else"};
  EXPECT_THAT(
      HintsFrom(Facts(), {other}),
      ElementsAre(
          AllOf(HasSubstr("no replication peer of HBase has a cluster key that ends with znode /fensi. If --znode was "
                          "changed, put the former --znode back and restart the capture"),
                HasSubstr(". Otherwise run the command of this capture with --plan"))));
}

TEST(CaptureHints, AnHBaseThatNeverHadAPeerNeedsTheLinesOfThePlan) {
  EXPECT_THAT(HintsFrom(Facts(), {}),
              ElementsAre(HasSubstr("To add the peer, run the command of this capture with --plan")));
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

TEST(CaptureHints, ConnectionsWithoutAWordAreOfRegionServersWithoutATicket) {
  const Peer peer{.id = "p", .cluster_key = "zk:2181:/fensi"};
  CaptureFacts facts = Facts();
  facts.nameless_ever = 3;
  EXPECT_THAT(HintsFrom(facts, {peer}), ElementsAre(HasSubstr("no region server has connected")));
  facts.principal = "fensi/here@REALM";
  EXPECT_THAT(HintsFrom(facts, {peer}),
              ElementsAre(HasSubstr("3 connections came to here:1 and ended without a word. They may be health checks, "
                                    "or region servers that get no Kerberos ticket for fensi/here@REALM")));
}

TEST(CaptureHints, OfAGoodPeerTellWhetherAnybodyCame) {
  const Peer peer{.id = "p", .cluster_key = "zk:2181:/fensi"};
  EXPECT_THAT(HintsFrom(Facts(), {peer}), ElementsAre(HasSubstr("cannot reach here:1 (--announce)")));
  EXPECT_THAT(HintsFrom(Facts(3), {peer}), ElementsAre(HasSubstr("are connected and send no edits")));
}

TEST(CaptureHints, OnceEditsHaveComeOnlyWhatIsWrongWithThePeerIsTold) {
  Peer peer{.id = "p", .cluster_key = "zk:2181:/fensi"};
  CaptureFacts facts = Facts(3);
  facts.arrived = true;
  EXPECT_THAT(HintsFrom(facts, {peer}), ::testing::IsEmpty()) << "the tables may be quiet";
  peer.enabled = false;
  EXPECT_THAT(HintsFrom(facts, {peer}), ElementsAre(HasSubstr("enable_peer 'p'")));
  EXPECT_THAT(HintsFrom(facts, {}), ElementsAre(HasSubstr("enter the lines")));
}

TEST(CaptureSettings, ClusterKeyIsAsTheShellWantsIt) {
  EXPECT_EQ(ClusterKey("zk1:2181,zk2:2181", "/fensi"), "zk1,zk2:2181:/fensi");
  EXPECT_EQ(ClusterKey("zk1:2181,zk2:2182", "/f/g"), "zk1:2181,zk2:2182:2182:/f/g");
}

TEST(CaptureSettings, TopicIsNamedAfterTheTable) {
  EXPECT_EQ(TopicOfTable("{table}", "ns:t"), "ns.t");
  EXPECT_EQ(TopicOfTable("{table}", "ns.t"), "default.ns.t") << "another table, another topic";
  EXPECT_EQ(TopicOfTable("hbase.{table}.v1", "t"), "hbase.t.v1");
  EXPECT_EQ(TopicOfTable("all", "t"), "all");
}

TEST(CapturePlan, HasTheLinesForTheShell) {
  const std::string text = CapturePlanText(
      {.tables = {{"a", {"f1", "f2"}}, {"ns:b", {}}}, .peer = "fensi", .cluster_key = "zk:2181:/fensi"});
  EXPECT_THAT(text, HasSubstr("alter 'a', {NAME => 'f2', REPLICATION_SCOPE => '1'}\n"));
  EXPECT_THAT(text, HasSubstr("add_peer 'fensi', CLUSTER_KEY => \"zk:2181:/fensi\", TABLE_CFS => {\"a\" => [], "
                              "\"ns:b\" => []}, CONFIG => {\"hbase.replication.source.maxthreads\" => \"1\"}\n"));
  EXPECT_THAT(text, HasSubstr("hbase.regionserver.replication.marker.enabled"));
  EXPECT_THAT(text, HasSubstr("replication.source.sleepforretries"));
  EXPECT_LT(text.find("# 2. hbase-site.xml"), text.find("# 3. The peer, after the restarts of step 2"));
  EXPECT_LT(text.find("# 3. The peer"), text.find("add_peer 'fensi'"));
  EXPECT_THAT(text, HasSubstr("edits that no capture has taken are then lost"));
  EXPECT_THAT(text, HasSubstr("<name>hbase.replication.bulkload.enabled</name><value>true</value>"));
  EXPECT_THAT(text, HasSubstr("<name>hbase.replication.cluster.id</name>"));
  EXPECT_THAT(text, HasSubstr("\"hbase.security.authentication\" => \"simple\""));
  EXPECT_THAT(text, Not(HasSubstr("tls")));
}

TEST(CapturePlan, ShowsTheTopicsAndWhetherTheirTablesWereFound) {
  CapturePlan plan{.tables = {{"a", {"f"}}}, .topics = {{"a", "a"}, {"ns:b", "ns.b"}}, .peer = "p", .cluster_key = "k"};
  EXPECT_THAT(CapturePlanText(plan),
              HasSubstr("It creates those of these topics that Kafka does not have.\n#    table a: topic a\n#    table "
                        "ns:b: topic ns.b\n#    fensi has not checked that HBase has these tables"));
  plan.tables_found = true;
  EXPECT_THAT(CapturePlanText(plan), HasSubstr("#    table ns:b: topic ns.b\n"));
  EXPECT_THAT(CapturePlanText(plan), Not(HasSubstr("has not checked")));
}

TEST(CapturePlan, HasWhatTheTlsOfThePeerNeeds) {
  const auto plan = [](PeerTls tls) {
    return CapturePlanText({.tables = {{"t", {"f"}}}, .peer = "fensi", .cluster_key = "zk:2181:/fensi", .tls = tls});
  };
  const std::string ours = plan(PeerTls::kOurCertificate);
  EXPECT_THAT(ours,
              HasSubstr("TABLE_CFS => {\"t\" => []}, CONFIG => {\"hbase.replication.source.maxthreads\" => \"1\", "
                        "\"hbase.client.netty.tls.enabled\" => \"true\", "
                        "\"hbase.rpc.tls.truststore.location\" => \""));
  EXPECT_THAT(ours, Not(HasSubstr("keystore")));
  EXPECT_THAT(plan(PeerTls::kBothCertificates), HasSubstr(", \"hbase.rpc.tls.keystore.location\" => \""));
}

TEST(CapturePlan, HasWhatTheKerberosOfThePeerNeeds) {
  const std::string text = CapturePlanText({.tables = {{"t", {"f"}}},
                                            .peer = "fensi",
                                            .cluster_key = "zk:2181:/fensi",
                                            .kerberos = capture::KerberosOptions{.principal = "fensi/here@REALM"}});
  EXPECT_THAT(text, HasSubstr("CONFIG => {\"hbase.replication.source.maxthreads\" => \"1\", "
                              "\"hbase.regionserver.kerberos.principal\" => \"fensi/here@REALM\", "
                              "\"hbase.master.kerberos.principal\" => \"fensi/here@REALM\", "
                              "\"hbase.rpc.protection\" => \"privacy\", "
                              "\"hbase.rpc.crypto.encryption.aes.enabled\" => \"false\"}\n"));
  EXPECT_THAT(text, HasSubstr("_HOST in place of the host"));
  EXPECT_THAT(text, Not(HasSubstr("simple")));
}

TEST(CertificateWatch, UsesWhatHasChangedAndKeepsWhatIsRight) {
  FakeClock clock;
  Result<std::optional<capture::TlsPems>> file = std::optional(capture::TlsPems{.certificates = "a"});
  Status usable;
  std::string used, notices;
  CertificateWatch watch(
      *file,
      {[&] { return file; },
       [&](const capture::TlsPems& pems) {
         used += pems.certificates;
         return usable;
       },
       TellOfCertificates([&](const capture::Notice& notice) { notices += notice.words.all() + "\n"; })},
      &clock);
  const auto look = [&] {
    clock.Advance(std::chrono::seconds(10));
    watch.Tick();
    watch.Tick();  // not yet again
  };
  look();
  EXPECT_EQ(used, "");
  file = std::optional(capture::TlsPems{.certificates = "b"});
  look();
  look();
  EXPECT_EQ(used, "b");
  file = Status(StatusCode::kPermission, "others may use it");
  look();
  look();
  EXPECT_THAT(
      notices,
      HasSubstr("the capture keeps its former certificate, because it cannot use the new files: others may use it\n"));
  EXPECT_EQ(std::count(notices.begin(), notices.end(), '\n'), 2) << "each told once";
  usable = Status(StatusCode::kConfiguration, "expired");
  file = std::optional(capture::TlsPems{.certificates = "c"});
  look();
  usable = Status();
  look();
  look();
  EXPECT_EQ(used, "bcc");
}

TEST(OwnTables, AreRefusedByName) {
  const auto refuse = [](const std::vector<std::string>& tables, const std::vector<mapping::Mapping>& mappings) {
    return RefuseOwnTables(tables, "{table}", mapping::kDefaultMetaTable, mappings);
  };
  EXPECT_EQ(refuse({"guanzhu", "fensi_state"}, {}).code(), StatusCode::kConfiguration);
  EXPECT_EQ(refuse({"guanzhu", "fensi_meta"}, {}).code(), StatusCode::kConfiguration);
  EXPECT_TRUE(refuse({"guanzhu"}, {}).ok());
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml",
        "source: s\nindexes: { x: { table: 'default:x', row: '{f:v}', columns: { 'f:{row}': '' } },\n"
        "  p: { table: 'p_{f:v@ts | time %Y}', retention: 5d, row: '{f:v}', columns: { 'f:{row}': '' } } }\n"}},
      &diagnostics, {});
  ASSERT_EQ(mappings.size(), 1u) << diagnostics.Text();
  for (const char* table : {"x", "x_state", "p_2016", "p_state"}) {
    EXPECT_EQ(refuse({table}, mappings).code(), StatusCode::kConfiguration) << table;
  }
  EXPECT_TRUE(refuse({"p_x", "ns:x"}, mappings).ok());
}

TEST(CaptureMachine, IsAnotherOneInAContainerWithTheSameName) {
  const std::string here = Machine();
  EXPECT_EQ(Machine(), here);
  const std::optional<std::string> there = InAnotherNetwork(Machine);
  if (!there) GTEST_SKIP() << "this machine does not allow networks of one's own";
  EXPECT_NE(*there, here);
  EXPECT_EQ(there->substr(0, there->find(' ')), here.substr(0, here.find(' '))) << "the name of the host";
}

}  // namespace
}  // namespace fensi::daemon
