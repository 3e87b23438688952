#include "capture/marks/members.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/bytes.h"
#include "capture/peers.h"
#include "capture/server_name.h"

namespace fensi::capture {
namespace {

constexpr int kMostReadings = 10;
constexpr std::chrono::milliseconds kLongestReading{10'000};

/// One reading; what is missing was removed meanwhile.
class Reading {
 public:
  Reading(ZooKeeperSession* session, const std::string& hbase_root, const std::string& peer)
      : session_(session), hbase_root_(hbase_root), peer_(peer) {}

  Result<std::set<std::string>> Read() {
    const Result<std::vector<std::string>> live = session_->Children(hbase_root_ + "/rs");
    FENSI_RETURN_IF_ERROR(live.status());
    for (const std::string& server : *live) Add(server);
    const Result<std::vector<std::string>> owners = session_->Children(hbase_root_ + "/replication/rs");
    FENSI_RETURN_IF_ERROR(owners.status());
    for (const std::string& owner : *owners) FENSI_RETURN_IF_ERROR(ReadQueues(owner));
    return std::move(servers_);
  }

 private:
  void Add(const std::string& server) {
    if (ParseServerName(server)) servers_.insert(server);
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
    return Status(StatusCode::kConfiguration,
                  "server " + Escape(server) + " writes several logs (" + Escape(*other) +
                      "; hbase.wal.provider multiwal), and replication markers into one of them only");
  }

  ZooKeeperSession* const session_;
  const std::string& hbase_root_;
  const std::string& peer_;
  std::set<std::string> servers_;
};

/// Markers stand in the log beside random regions (ReplicationMarkerChore of HBase 2.6), so nothing else keeps those of
/// a batch in one call, and a serial peer waits for ever for what their numbers seem to leave out.
Status CheckPeer(const Peer& peer, const std::vector<std::string>& tables) {
  if (peer.serial) {
    return Status(StatusCode::kConfiguration, "peer '" + peer.id +
                                                  "' is SERIAL, and HBase gets stuck there on replication markers; in "
                                                  "the HBase shell: set_peer_serial '" +
                                                  peer.id + "', false");
  }
  for (const std::string& table : tables) {
    if (peer.all_tables || std::find(peer.tables.begin(), peer.tables.end(), table) != peer.tables.end()) continue;
    return Status(StatusCode::kConfiguration, "peer '" + peer.id + "' does not name table " + table +
                                                  "; in the HBase shell: append_peer_tableCFs '" + peer.id + "', {\"" +
                                                  table + "\" => []}");
  }
  if (peer.one_call) return Status();
  return Status(StatusCode::kConfiguration,
                "HBase may send a batch of peer '" + peer.id +
                    "' in several calls, and then no marker proves anything; in the HBase shell: update_peer_config '" +
                    peer.id + "', CONFIG => {\"" + kOneCall +
                    "\" => \"1\"}, and then a rolling restart of the region servers, or the peer removed and added");
}

/// Its name. What one of two peers has sent proves nothing of what the other has not.
Result<std::string> OurPeer(ZooKeeperSession* session, const MembersQuery& query) {
  const Result<std::vector<Peer>> peers = ReadPeers(session, query.hbase_root);
  FENSI_RETURN_IF_ERROR(peers.status());
  std::string ours;
  for (const Peer& peer : *peers) {
    if (!NamesRoot(peer, query.our_root)) continue;
    if (!ours.empty()) {
      return Status(StatusCode::kConfiguration, "peers '" + ours + "' and '" + peer.id + "' both have the root " +
                                                    query.our_root + "; one peer must name all tables");
    }
    FENSI_RETURN_IF_ERROR(CheckPeer(peer, query.tables));
    ours = peer.id;
  }
  if (!ours.empty()) return ours;
  return Status(StatusCode::kNotFound, "no replication peer of HBase has the root " + query.our_root);
}

}  // namespace

std::string ServerOfQueue(std::string_view queue, std::string_view peer, std::string_view owner) {
  if (queue == peer) return std::string(owner);
  if (!queue.starts_with(peer) || queue.substr(peer.size(), 1) != "-") return "";
  // Servers are told one behind the other, the first is the log's; a host may have a '-', too.
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

Result<Members> ReadMembers(ZooKeeperSession* session, const MembersQuery& query, Clock* clock) {
  std::set<std::string> before;
  const int64_t began = clock->WallMillis();
  int64_t time = began;
  for (int reading = 0; reading < kMostReadings && clock->WallMillis() - began < kLongestReading.count(); ++reading) {
    const int64_t now = clock->WallMillis();
    // What one of ZooKeeper's servers shows may be old, but not older than a write that it has just answered.
    FENSI_RETURN_IF_ERROR(session->Delete(query.our_root + "/no_such_znode"));
    const Result<std::string> peer = OurPeer(session, query);
    FENSI_RETURN_IF_ERROR(peer.status());
    Result<std::set<std::string>> servers = Reading(session, query.hbase_root, *peer).Read();
    FENSI_RETURN_IF_ERROR(servers.status());
    // In a longer time a queue may have moved twice, each time past us.
    const bool soon = clock->WallMillis() - time <= kLongestReading.count();
    if (!servers->empty() && *servers == before && soon) return Members{{servers->begin(), servers->end()}, time};
    before = std::move(*servers);
    time = now;
  }
  return Status(StatusCode::kUnavailable, "the servers of HBase come and go while they are listed");
}

}  // namespace fensi::capture
