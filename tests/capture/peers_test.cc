#include "capture/peers.h"

#include <gtest/gtest.h>

#include "capture/zookeeper/cluster_id.h"
#include "tests/capture/hbase_bytes.h"

namespace fensi::capture {
namespace {

TEST(ClusterId, IsWhatHBaseReads) {
  const std::string uuid = PeerUuid("/fensi");
  EXPECT_EQ(ClusterIdData(uuid), FromHex("50425546 0a24") + uuid);
}

TEST(ClusterId, IsAUuidThatIsTheSameEachTimeAndAnotherForAnotherRoot) {
  const std::string uuid = PeerUuid("/fensi");
  ASSERT_EQ(uuid.size(), 36u);
  EXPECT_EQ(uuid[8], '-');
  EXPECT_EQ(uuid[14], '3');
  EXPECT_EQ(uuid, PeerUuid("/fensi"));
  EXPECT_NE(uuid, PeerUuid("/fensi2"));
}

std::string PeerData(const std::string& tables) {
  return "PBUF" + BytesField(1, "127.0.0.1:2181:/fensi") + tables + NumberField(8, tables.empty() ? 1 : 0) +
         NumberField(11, 1);
}

TEST(Peers, AreReadAsHBaseWritesThem) {
  const std::string one = BytesField(5, BytesField(1, BytesField(1, "default") + BytesField(2, "guanzhu")));
  const std::string two = BytesField(5, BytesField(1, BytesField(1, "ns") + BytesField(2, "t")));
  const Result<Peer> peer = ParsePeer("p", PeerData(one + two));
  ASSERT_TRUE(peer.ok());
  EXPECT_EQ(peer->cluster_key, "127.0.0.1:2181:/fensi");
  EXPECT_TRUE(peer->serial);
  EXPECT_FALSE(peer->all_tables);
  EXPECT_EQ(peer->tables, (std::vector<std::string>{"guanzhu", "ns:t"}));
  EXPECT_TRUE(PointsToRoot(*peer, "/fensi"));
  EXPECT_FALSE(PointsToRoot(*peer, "/other"));
  EXPECT_TRUE(ParsePeer("p", PeerData(""))->all_tables);
  EXPECT_EQ(ParsePeer("p", FromHex("ff00000003") + "xyz" + PeerData(""))->cluster_key, peer->cluster_key);
}

TEST(Peers, OfSomethingElseAreRefused) { EXPECT_FALSE(ParsePeer("p", "127.0.0.1:2181:/fensi").ok()); }

}  // namespace
}  // namespace fensi::capture
