#include "capture/marks/members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>

#include "tests/capture/marks/hbase_znodes.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::capture {
namespace {

/// Something happens right before a list is read.
class WatchedSession final : public hbase::ZooKeeperSession {
 public:
  /// `before`: "-" for a delete.
  std::string missing;  // a node that nobody can list
  WatchedSession(std::unique_ptr<hbase::ZooKeeperSession> behind, std::function<void(const std::string&)> before)
      : behind_(std::move(behind)), before_(std::move(before)) {}
  bool expired() const override { return behind_->expired(); }
  std::chrono::milliseconds timeout() const override { return behind_->timeout(); }
  Result<std::optional<hbase::Znode>> Get(const std::string& path) override { return behind_->Get(path); }
  Result<std::vector<std::string>> Children(const std::string& path) override {
    before_(path);
    if (path == missing) return Status(StatusCode::kNotFound, "no node");
    return behind_->Children(path);
  }
  Status Create(const std::string& path, const std::string& data, const hbase::ZnodeKind& kind) override {
    return behind_->Create(path, data, kind);
  }
  Status Set(const std::string& path, const std::string& data, int32_t version) override {
    return behind_->Set(path, data, version);
  }
  Status Delete(const std::string& path) override {
    before_("-");
    return behind_->Delete(path);
  }
  Result<std::vector<hbase::Grant>> Grants(const std::string& path) override { return behind_->Grants(path); }

 private:
  const std::unique_ptr<hbase::ZooKeeperSession> behind_;
  const std::function<void(const std::string&)> before_;
};

class MembersTest : public ::testing::Test {
 protected:
  MembersTest() {
    hbase_.Start(kA);
    hbase_.Start(kB);
  }
  Result<Members> Read(std::function<void(const std::string&)> before = [](const std::string&) {}) {
    Result<std::unique_ptr<hbase::ZooKeeperSession>> behind = zookeeper_.Opener()();
    WatchedSession session(std::move(*behind), std::move(before));
    return ReadMembers(&session, {.our_root = "/fensi", .tables = {"guanzhu"}}, &clock_);
  }
  std::vector<std::string> Servers() {
    const Result<Members> members = Read();
    EXPECT_TRUE(members.ok()) << members.status().ToString();
    return members.ok() ? members->servers : std::vector<std::string>();
  }

  FakeZooKeeper zookeeper_;
  HBaseZnodes hbase_{&zookeeper_};
  FakeClock clock_;
};

TEST_F(MembersTest, AreTheServersThatLive) { EXPECT_THAT(Servers(), ElementsAre(kB, kA)); }

// F40: what a dead server has logged is still to come.
TEST_F(MembersTest, F40AServerThatDiedIsOneUntilItsQueueIsSent) {
  hbase_.Die(kA);
  EXPECT_THAT(Servers(), ElementsAre(kB, kA));
  hbase_.EndQueue(kA, "p", LogOf(kA));
  const std::string taken = std::string("p-") + kA;
  hbase_.Queue(kB, taken, LogOf(kA));
  EXPECT_THAT(Servers(), ElementsAre(kB, kA));
  hbase_.EndQueue(kB, taken, LogOf(kA));
  hbase_.Queue(kC, taken + "-" + kB, LogOf(kA));
  EXPECT_THAT(Servers(), ElementsAre(kB, kA));
  hbase_.EndQueue(kC, taken + "-" + kB, LogOf(kA));
  EXPECT_THAT(Servers(), ElementsAre(kB));
}

TEST_F(MembersTest, AQueueOfAnotherPeerMakesNobodyOne) {
  hbase_.Queue(kB, std::string("other-") + kC, LogOf(kC));
  hbase_.Queue(kB, std::string("pp-") + kC, LogOf(kC));
  hbase_.Queue(kB, "pp", LogOf(kC));
  EXPECT_THAT(Servers(), ElementsAre(kB, kA));
}

// F40: while the lists are read one by one, a queue moves from a server that is still to be listed to one that was.
TEST_F(MembersTest, F40AQueueThatMovesWhileTheyAreReadIsNotMissed) {
  hbase_.Die(kA);
  bool moved = false;
  const Result<Members> members = Read([&](const std::string& path) {
    if (path != std::string("/hbase/replication/rs/") + kA || std::exchange(moved, true)) return;
    hbase_.EndQueue(kA, "p", LogOf(kA));
    hbase_.Queue(kB, std::string("p-") + kA, LogOf(kA));
  });
  ASSERT_TRUE(members.ok());
  EXPECT_THAT(members->servers, ElementsAre(kB, kA));
}

TEST_F(MembersTest, TheirTimeIsBeforeTheFirstOfTheReadingsThatAgree) {
  const int64_t began = clock_.WallMillis();
  const Result<Members> members = Read([&](const std::string& path) {
    if (path == "/hbase/rs") clock_.Advance(std::chrono::milliseconds(100));
  });
  ASSERT_TRUE(members.ok());
  EXPECT_EQ(members->time, began);
}

// A server of ZooKeeper that is behind does not know of a region server that has just begun.
TEST_F(MembersTest, EachReadingBeginsWithAWriteAfterItsTimeWasTaken) {
  std::vector<std::string> calls;
  ASSERT_TRUE(Read([&](const std::string& path) {
                if (path == "-" || path == "/hbase/rs") calls.push_back(path);
                if (path == "-") clock_.Advance(std::chrono::milliseconds(100));
              }).ok());
  EXPECT_THAT(calls, ElementsAre("-", "/hbase/rs", "-", "/hbase/rs"));
}

// A queue may have moved twice meanwhile, each time past who reads.
TEST_F(MembersTest, ThatTakeLongToReadAreUnknown) {
  const Result<Members> members = Read([&](const std::string& path) {
    if (path == "/hbase/rs") clock_.Advance(std::chrono::milliseconds(6'000));
  });
  EXPECT_EQ(members.status().code(), StatusCode::kUnavailable);
}

TEST_F(MembersTest, ThatNeverComeToRestAreUnknown) {
  int round = 0;
  const Result<Members> members = Read([&](const std::string& path) {
    if (path == "/hbase/rs") hbase_.Start("s" + std::to_string(++round) + ",1,1");
  });
  EXPECT_EQ(members.status().code(), StatusCode::kUnavailable);
  EXPECT_LE(round, 10);
}

TEST_F(MembersTest, SeveralLogsOfAServerAreRefused) {
  hbase_.Queue(kB, "p", "b%2C16020%2C2.regiongroup-0.1732000000000");
  const Result<Members> members = Read();
  EXPECT_EQ(members.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(members.status().message(), HasSubstr("writes several write-ahead logs"));
}

// What was logged before a marker may be in another call than the marker.
TEST_F(MembersTest, OfAPeerWhoseBatchesComeInSeveralCallsAreRefused) {
  for (const std::string value : {"", "2", "10"}) {
    hbase_.Peer(BytesField(4, BytesField(1, "hbase.replication.source.maxthreads") + BytesField(2, value)));
    EXPECT_EQ(Read().status().code(), StatusCode::kConfiguration);
  }
  hbase_.Peer("");
  EXPECT_THAT(Read().status().message(), HasSubstr("update_peer_config 'p'"));
}

TEST_F(MembersTest, OfAPeerThatHasNotAllTablesAreRefused) {
  const auto table = [](const std::string& name) {
    return BytesField(5, BytesField(1, BytesField(1, "default") + BytesField(2, name)));
  };
  hbase_.Peer(HBaseZnodes::kOneCallSetting + table("other"), /*all_tables=*/false);
  EXPECT_EQ(Read().status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(Read().status().message(), HasSubstr("append_peer_tableCFs 'p', {\"guanzhu\" => []}"));
  hbase_.Peer(HBaseZnodes::kOneCallSetting + table("other") + table("guanzhu"), /*all_tables=*/false);
  EXPECT_THAT(Servers(), ElementsAre(kB, kA));
}

TEST_F(MembersTest, OfTwoPeersOfOursAreRefused) {
  zookeeper_.Put("/hbase/replication/peers/q", zookeeper_.Data("/hbase/replication/peers/p"));
  EXPECT_EQ(Read().status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(Read().status().message(), HasSubstr("'p' and 'q'"));
}

TEST_F(MembersTest, OfASerialPeerAreRefused) {
  hbase_.Peer(NumberField(11, 1));
  EXPECT_EQ(Read().status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(Read().status().message(), HasSubstr("set_peer_serial 'p', false"));
}

TEST_F(MembersTest, NamesOfLogsAreHBases) {
  EXPECT_TRUE(IsOnlyLog("host.example.org%2C16020%2C1732.1732000000000"));
  EXPECT_TRUE(IsOnlyLog("host%2C16020%2C1732.meta.1732000000000.meta"));
  EXPECT_FALSE(IsOnlyLog("host%2C16020%2C1732.host%2C16020%2C1732.regiongroup-1.1732000000000"));
  EXPECT_FALSE(IsOnlyLog("log"));
}

TEST_F(MembersTest, WithoutAPeerOfOursThereAreNone) {
  zookeeper_.Remove("/hbase/replication/peers/p");
  const Result<Members> members = Read();
  EXPECT_EQ(members.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(members.status().message(), HasSubstr("/fensi"));
}

TEST_F(MembersTest, OfAnHBaseThatKeepsItsQueuesInATableAreRefused) {
  Result<std::unique_ptr<hbase::ZooKeeperSession>> behind = zookeeper_.Opener()();
  WatchedSession session(std::move(*behind), [](const std::string&) {});
  session.missing = "/hbase/replication/rs";
  const Result<Members> members = ReadMembers(&session, {.our_root = "/fensi", .tables = {"guanzhu"}}, &clock_);
  EXPECT_EQ(members.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(members.status().message(), HasSubstr("HBase 3 keeps its replication queues in a table"));
}

TEST_F(MembersTest, WhatIsNoServerIsNoMember) {
  zookeeper_.Put("/hbase/rs/draining", "");
  hbase_.Queue(kB, "p-nonsense", LogOf(kB));
  EXPECT_THAT(Servers(), ElementsAre(kB, kA));
}

}  // namespace
}  // namespace fensi::capture
