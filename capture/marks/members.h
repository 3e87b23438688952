// Lists the servers of the source that may still have changes for our stream: live servers, and servers whose logs are
// still being sent to our peer (M20).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "hbase/zookeeper/session.h"

namespace fensi::capture {

struct Members {
  std::vector<std::string> servers;  // sorted
  int64_t time = 0;                  // before the list was read, milliseconds since the epoch
  bool operator==(const Members&) const = default;
};

struct MembersQuery {
  std::string hbase_root = "/hbase";
  std::string our_root;             // of the cluster that HBase's peer names
  std::vector<std::string> tables;  // captured tables
};

/// Reads the list until two consecutive readings are equal, because a queue may move from one server to another while
/// they are listed one by one. kConfiguration: a server has several logs (multiwal), and markers in one of them only;
/// or HBase sends a batch of the peer in several calls, or the peer is serial, lacks a table, or there are two.
/// kNotFound: HBase stores its queues elsewhere, or has no peer of ours. kUnavailable: ZooKeeper, or the list keeps
/// changing. Blocks.
Result<Members> ReadMembers(hbase::ZooKeeperSession* session, const MembersQuery& query, Clock* clock);

/// Whose log a queue is: "PEER" is its owner's, "PEER-SERVER-…" was taken over from SERVER. Empty: it is of another
/// peer.
std::string ServerOfQueue(std::string_view queue, std::string_view peer, std::string_view owner);

/// Is it the name of a log of the only one that a server writes? With multiwal there is more in it.
bool IsOnlyLog(std::string_view log);

}  // namespace fensi::capture
