#include "capture/marks/members.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/bytes.h"
#include "capture/peers.h"
#include "hbase/server_name.h"

namespace fensi::capture {
namespace {

constexpr int kMostReadings = 10;
constexpr std::chrono::milliseconds kLongestReading{10'000};

/// HBase 3 has its queues in table hbase:replication (HBASE-27109).
std::string QueuesElsewhereText(const std::string& znode) {
  return "ZooKeeper has no znode " + znode +
         ". HBase 3 keeps its replication queues in a table instead, and the capture does not read this table. Start "
         "the capture with --watermark_interval_ms=0. Before HBase 3, do nothing: HBase makes the znode by itself";
}

/// Reads the list of servers once. A node that is missing was removed meanwhile.
class Reading {
 public:
  Reading(hbase::ZooKeeperSession* session, const std::string& hbase_root, const std::string& peer)
      : session_(session), hbase_root_(hbase_root), peer_(peer) {}

  Result<std::set<std::string>> Read() {
    FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> live, session_->Children(hbase_root_ + "/rs"));
    for (const std::string& server : live) Add(server);
    const std::string queues = hbase_root_ + "/replication/rs";
    const Result<std::vector<std::string>> owners = session_->Children(queues);
    if (owners.status().code() == StatusCode::kNotFound)
      return Status(StatusCode::kNotFound, QueuesElsewhereText(queues));
    FENSI_RETURN_IF_ERROR(owners.status());
    // M20: the queue of a dead server may still hold changes, so the dead server is a member, too.
    for (const std::string& owner : *owners) FENSI_RETURN_IF_ERROR(ReadQueues(owner));
    return std::move(servers_);
  }

 private:
  void Add(const std::string& server) {
    if (hbase::ParseServerName(server)) servers_.insert(server);
  }

  Status ReadQueues(const std::string& owner) {
    const std::string path = hbase_root_ + "/replication/rs/" + owner;
    const Result<std::vector<std::string>> queues = session_->Children(path);
    if (queues.status().code() == StatusCode::kNotFound) return Status();
    FENSI_RETURN_IF_ERROR(queues.status());
    for (const std::string& queue : *queues) {
      const std::string server = ServerOfQueue(queue, peer_, owner);
      if (server.empty()) continue;
      Add(server);
      FENSI_RETURN_IF_ERROR(CheckLogs(path + "/" + queue, server));
    }
    return Status();
  }

  Status CheckLogs(const std::string& path, const std::string& server) {
    const Result<std::vector<std::string>> logs = session_->Children(path);
    if (logs.status().code() == StatusCode::kNotFound) return Status();
    FENSI_RETURN_IF_ERROR(logs.status());
    const auto other = std::find_if_not(logs->begin(), logs->end(), IsOnlyLog);
    if (other == logs->end()) return Status();
    return Status(StatusCode::kConfiguration, "region server " + Escape(server) +
                                                  " writes several write-ahead logs (such as " + Escape(*other) +
                                                  "), but writes its replication markers to only one of them. Set "
                                                  "hbase.wal.provider to asyncfs or filesystem in "
                                                  "hbase-site.xml of the region servers, and restart them one by one");
  }

  hbase::ZooKeeperSession* const session_;
  const std::string& hbase_root_;
  const std::string& peer_;
  std::set<std::string> servers_;
};

/// Checks the peer. A marker is in the log beside random regions (ReplicationMarkerChore of HBase 2.6), so nothing else
/// keeps the markers of a batch in one call, and a serial peer waits for ever for the sequence ids that seem to be
/// missing.
Status CheckPeer(const Peer& peer, const std::vector<std::string>& tables) {
  if (peer.serial) {
    return Status(StatusCode::kConfiguration, SerialPeerText(peer));
  }
  for (const std::string& table : tables) {
    if (peer.all_tables || std::find(peer.tables.begin(), peer.tables.end(), table) != peer.tables.end()) continue;
    return Status(StatusCode::kConfiguration, MissingTableText(peer, table));
  }
  // M20: markers prove the order of calls only if a batch is one call.
  if (peer.one_call) return Status();
  return Status(StatusCode::kConfiguration,
                "replication peer '" + peer.id +
                    "' may send a batch in several calls, and then replication markers do not prove that all changes "
                    "have arrived. Enter in the HBase shell: update_peer_config '" +
                    peer.id + "', CONFIG => {\"" + kOneCall +
                    "\" => \"1\"}. Then restart the region servers one by one");
}

/// Returns the name of our peer. Two peers are an error: what one peer sent proves nothing about the other.
Result<std::string> OurPeer(hbase::ZooKeeperSession* session, const MembersQuery& query) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<Peer> peers, ReadPeers(session, query.hbase_root));
  std::string ours;
  for (const Peer& peer : peers) {
    if (!PointsToRoot(peer, query.our_root)) continue;
    if (!ours.empty()) {
      return Status(StatusCode::kConfiguration, TwoPeersText(ours, peer.id, query.our_root));
    }
    FENSI_RETURN_IF_ERROR(CheckPeer(peer, query.tables));
    ours = peer.id;
  }
  if (!ours.empty()) return ours;
  return Status(StatusCode::kNotFound, NoPeerText(query.our_root));
}

}  // namespace

std::string ServerOfQueue(std::string_view queue, std::string_view peer, std::string_view owner) {
  if (queue == peer) return std::string(owner);
  if (!queue.starts_with(peer) || queue.substr(peer.size(), 1) != "-") return "";
  // The queue's name lists servers, separated by '-'; the first server wrote the log. A host may contain '-', too.
  const std::string_view servers = queue.substr(peer.size() + 1);
  const size_t port = servers.find(',');
  const size_t start = port == std::string_view::npos ? port : servers.find(',', port + 1);
  if (start == std::string_view::npos) return "";
  return std::string(servers.substr(0, servers.find('-', start)));
}

bool IsOnlyLog(std::string_view log) {
  // "HOST%2CPORT%2CSTARTCODE.TIME": a host has no comma.
  constexpr std::string_view kComma = "%2C";
  const size_t start = log.rfind(kComma);
  if (start == std::string_view::npos) return false;
  if (log.ends_with(".meta")) return true;  // of HBase's own table, which is not replicated
  const std::string_view rest = log.substr(start + kComma.size());
  return std::count(rest.begin(), rest.end(), '.') == 1;
}

Result<Members> ReadMembers(hbase::ZooKeeperSession* session, const MembersQuery& query, Clock* clock) {
  std::set<std::string> before;
  const int64_t began = clock->WallMillis();
  int64_t time = began;
  for (int reading = 0; reading < kMostReadings && clock->WallMillis() - began < kLongestReading.count(); ++reading) {
    // M20: the time before the reading; a server that starts later is not in the list.
    const int64_t now = clock->WallMillis();
    // A ZooKeeper server may answer reads from the past, but not from before a write that it has just answered.
    FENSI_RETURN_IF_ERROR(session->Delete(query.our_root + "/no_such_znode"));
    FENSI_ASSIGN_OR_RETURN(const std::string peer, OurPeer(session, query));
    FENSI_ASSIGN_OR_RETURN(std::set<std::string> servers, Reading(session, query.hbase_root, peer).Read());
    // M20: two equal readings prove the list. In a longer time a queue may have moved twice, each time past us.
    const bool soon = clock->WallMillis() - time <= kLongestReading.count();
    if (!servers.empty() && servers == before && soon) return Members{{servers.begin(), servers.end()}, time};
    before = std::move(servers);
    time = now;
  }
  return Status(StatusCode::kUnavailable,
                "the list of region servers in ZooKeeper changed while the capture read the list. Do nothing: the "
                "capture reads the list again by itself");
}

}  // namespace fensi::capture
