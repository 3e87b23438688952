// The replication peers that a source cluster has, as they stand in ZooKeeper (hbase.replication.peer.storage.impl =
// zookeeper, the default).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "capture/zookeeper/session.h"

namespace fensi::capture {

/// In a peer's CONFIG with the value 1: HBase does not cut a batch into calls that it sends side by side.
inline constexpr char kOneCall[] = "hbase.replication.source.maxthreads";

struct Peer {
  std::string id;
  std::string cluster_key;
  bool enabled = true;
  bool serial = false;
  bool all_tables = true;
  bool one_call = false;            // by its CONFIG, HBase sends a batch in one call (kOneCall)
  std::vector<std::string> tables;  // of TABLE_CFS, when not all
};

/// Blocks. kNotFound when `hbase_root` holds no replication peers there.
Result<std::vector<Peer>> ReadPeers(ZooKeeperSession* session, const std::string& hbase_root);

/// What stands in a peer's znode; kInvalidArgument when it is something else.
Result<Peer> ParsePeer(const std::string& id, const std::string& data);

/// Is it the key of the cluster with this root?
bool NamesRoot(const Peer& peer, const std::string& root);

}  // namespace fensi::capture
