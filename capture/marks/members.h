// Which servers of the source may still have changes for our stream: those that live, and those whose logs somebody
// still sends to our peer (M20).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "capture/zookeeper/session.h"

namespace fensi::capture {

struct Members {
  std::vector<std::string> servers;  // sorted
  int64_t time = 0;                  // before they were read, milliseconds since the epoch
  bool operator==(const Members&) const = default;
};

struct MembersQuery {
  std::string hbase_root = "/hbase";
  std::string our_root;             // of the cluster that HBase's peer names
  std::vector<std::string> tables;  // whose changes are captured
};

/// Reads until two readings one after the other
/// are equal, because a queue may move from one server to another while they are listed one by one.
/// kConfiguration: a server has several logs (multiwal), and markers in one of them only; or HBase sends a batch of the
/// peer in several calls, or the peer is serial, has not all tables, or there are two. kNotFound: HBase keeps its
/// queues elsewhere, or has no peer of ours. kUnavailable: ZooKeeper, or the cluster does not come to rest. Blocks.
Result<Members> ReadMembers(ZooKeeperSession* session, const MembersQuery& query, Clock* clock);

/// Whose log a queue is: "PEER" is its owner's, "PEER-SERVER-…" was taken over from SERVER. Empty: it is of another
/// peer.
std::string ServerOfQueue(std::string_view queue, std::string_view peer, std::string_view owner);

/// Is it the name of a log of the only one that a server writes? With multiwal there is more in it.
bool IsOnlyLog(std::string_view log);

}  // namespace fensi::capture
