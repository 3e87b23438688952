// Reads the replication peers of a source cluster from ZooKeeper (hbase.replication.peer.storage.impl = zookeeper, the
// default).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "hbase/zookeeper/session.h"

namespace fensi::capture {

/// If it is 1 in a peer's CONFIG, HBase does not split a batch into parallel calls.
inline constexpr char kOneCall[] = "hbase.replication.source.maxthreads";

struct Peer {
  std::string id;
  std::string cluster_key;
  bool enabled = true;
  bool serial = false;
  bool all_tables = true;
  bool one_call = false;            // by its CONFIG, HBase sends a batch in one call (kOneCall)
  std::vector<std::string> tables;  // of TABLE_CFS, if not all
};

/// How a person adds the peer of a capture. It continues a sentence.
inline constexpr char kPlanRemedy[] =
    "run the command of this capture with --plan, and enter the lines that it prints into the HBase shell";

/// The trouble with an HBase without our peer, with a peer that lacks one of our tables, and with one that is serial;
/// each ends with its remedy.
std::string NoPeerText(const std::string& root);
/// Two peers of one root, of which the first is to stay.
std::string TwoPeersText(const std::string& stays, const std::string& other, const std::string& root);
std::string MissingTableText(const Peer& peer, const std::string& table);
std::string SerialPeerText(const Peer& peer);

/// Blocks. kNotFound if `hbase_root` has no replication peers.
Result<std::vector<Peer>> ReadPeers(hbase::ZooKeeperSession* session, const std::string& hbase_root);

/// Parses a peer's znode; kInvalidArgument if it is something else.
Result<Peer> ParsePeer(const std::string& id, const std::string& data);

/// True if the peer's cluster key has this root.
bool PointsToRoot(const Peer& peer, const std::string& root);

}  // namespace fensi::capture
