#include "capture/peers.h"

#include "base/bytes.h"
#include "proto/hbase_replication.pb.h"

namespace fensi::capture {
namespace {

constexpr std::string_view kMagic = "PBUF";
constexpr char kDefaultNamespace[] = "default";

std::string TableText(const proto::hbase::TableName& name) {
  return name.namespace_() == kDefaultNamespace ? name.qualifier() : name.namespace_() + ":" + name.qualifier();
}

/// HBase puts an id of the writer in front: 0xff, int32 length, so many bytes.
std::string_view WithoutWriter(std::string_view data) {
  constexpr size_t kLengthEnd = 5;
  if (data.size() < kLengthEnd || data.front() != '\xff') return data;
  const size_t length = ReadBigEndian32(data.substr(1));
  return length <= data.size() - kLengthEnd ? data.substr(kLengthEnd + length) : data;
}

template <typename Message>
bool ParsePbuf(std::string_view data, Message* message) {
  data = WithoutWriter(data);
  if (!data.starts_with(kMagic)) return false;
  data.remove_prefix(kMagic.size());
  return message->ParseFromArray(data.data(), static_cast<int>(data.size()));
}

}  // namespace

Result<Peer> ParsePeer(const std::string& id, const std::string& data) {
  proto::hbase::ReplicationPeer message;
  if (!ParsePbuf(data, &message)) {
    return Status(
        StatusCode::kInvalidArgument,
        "the znode of replication peer '" + Escape(id) +
            "' has data that fensi cannot read. Enter list_peers in the HBase shell. If list_peers shows the "
            "peer, report this message with the version of HBase. Otherwise remove the peer and add it again: "
            "edits that wait in HBase for the peer are then lost");
  }
  Peer peer;
  peer.id = id;
  peer.cluster_key = message.clusterkey();
  peer.serial = message.serial();
  for (const auto& setting : message.configuration()) {
    if (setting.name() == kOneCall) peer.one_call = setting.value() == "1";
  }
  peer.all_tables = message.replicate_all() || message.table_cfs_size() == 0;
  for (const auto& table : message.table_cfs()) peer.tables.push_back(TableText(table.table_name()));
  return peer;
}

std::string NoPeerText(const std::string& root) {
  return "no replication peer of HBase has a cluster key that ends with znode " + root +
         ". If --znode was changed, put the former --znode back and restart the capture, because the edits wait in "
         "HBase for the peer of the former znode. Otherwise " +
         kPlanRemedy;
}

std::string TwoPeersText(const std::string& stays, const std::string& other, const std::string& root) {
  return "replication peers '" + stays + "' and '" + other + "' both send to znode " + root +
         ", and a watermark needs a single peer. For each table of peer '" + other +
         "', enter in the HBase shell: append_peer_tableCFs '" + stays +
         "', {\"TABLE\" => []}. When status 'replication' shows no waiting log of peer '" + other +
         "', enter: remove_peer '" + other + "'. Edits that still wait in this peer are then lost";
}

std::string MissingTableText(const Peer& peer, const std::string& table) {
  return "replication peer '" + peer.id + "' does not name table " + table +
         ". Enter in the HBase shell: append_peer_tableCFs '" + peer.id + "', {\"" + table + "\" => []}";
}

std::string SerialPeerText(const Peer& peer) {
  return "replication peer '" + peer.id +
         "' is SERIAL, so HBase keeps the edits of a region until its former region servers have sent theirs. After a "
         "server died (HBASE-29499), or after a replication marker, HBase may keep edits for ever. fensi does not need "
         "this order. Enter in the HBase shell: set_peer_serial '" +
         peer.id + "', false";
}

Result<std::vector<Peer>> ReadPeers(hbase::ZooKeeperSession* session, const std::string& hbase_root) {
  const std::string root = hbase_root + "/replication/peers";
  const Result<std::vector<std::string>> ids = session->Children(root);
  if (ids.status().code() == StatusCode::kNotFound) {
    // An HBase makes the folder with its first peer.
    FENSI_ASSIGN_OR_RETURN(const std::optional<hbase::Znode> hbase, session->Get(hbase_root));
    if (hbase.has_value()) return std::vector<Peer>();
  }
  if (!ids.ok()) return ids.status();
  std::vector<Peer> peers;
  for (const std::string& id : *ids) {
    const Result<std::optional<hbase::Znode>> data = session->Get(root + "/" + id);
    const Result<std::optional<hbase::Znode>> state = session->Get(root + "/" + id + "/peer-state");
    if (!data.ok()) return data.status();
    if (!state.ok()) return state.status();
    if (!data->has_value()) continue;  // removed meanwhile
    FENSI_ASSIGN_OR_RETURN(Peer peer, ParsePeer(id, (*data)->data));
    proto::hbase::ReplicationState message;
    peer.enabled = !state->has_value() || !ParsePbuf((*state)->data, &message) || message.state() == 0;
    peers.push_back(std::move(peer));
  }
  return peers;
}

bool PointsToRoot(const Peer& peer, const std::string& root) { return peer.cluster_key.ends_with(":" + root); }

}  // namespace fensi::capture
