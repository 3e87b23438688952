#include <algorithm>

#include "base/text.h"
#include "daemon/capture/watch.h"

namespace fensi::daemon {
namespace {

using capture::Peer;
using std::chrono::milliseconds;

/// Hints about errors in our own peer.
void HintsOfPeer(const CaptureFacts& facts, const Peer& peer, std::vector<std::string>* hints) {
  if (!peer.enabled)
    hints->push_back("peer '" + peer.id + "' is disabled; in the HBase shell: enable_peer '" + peer.id + "'");
  for (const std::string& table : facts.tables) {
    const bool named = std::find(peer.tables.begin(), peer.tables.end(), table) != peer.tables.end();
    if (peer.all_tables || named) continue;
    hints->push_back(capture::MissingTableText(peer, table));
  }
}

std::string HintOfSerial(const Peer& peer) { return capture::SerialPeerText(peer); }

/// Nothing is wrong with the peers; who has come?
std::string HintOfSilence(const CaptureFacts& facts) {
  if (facts.connections_ever == 0 && facts.nameless_ever > 0 && !facts.principal.empty()) {
    return Counted(facts.nameless_ever, "connection") + " came to " + facts.address +
           " and ended without a word. A region server that gets no ticket for " + facts.principal +
           " does so, and its log says why: the KDC must have that principal, and "
           "hbase.regionserver.kerberos.principal in the CONFIG of the replication peer ('fensi capture --plan' prints "
           "it) must name it. Health checks do so, too";
  }
  if (facts.connections_ever == 0) {
    return "no region server has connected: either nothing was written to the tables, or their families have no "
           "REPLICATION_SCOPE ('fensi capture --plan --store …' shows which), or region servers cannot "
           "reach " +
           facts.address + " (--announce)";
  }
  return "region servers are connected and send no edits of these tables: either nothing was written, or the families "
         "had no REPLICATION_SCOPE when it was ('fensi capture --plan --store …' shows which)";
}

}  // namespace

std::vector<std::string> HintsFrom(const CaptureFacts& facts, const std::vector<Peer>& peers) {
  std::vector<std::string> hints;
  std::vector<std::string> of_serial;
  bool ours = false;
  for (const Peer& peer : peers) {
    if (!capture::PointsToRoot(peer, facts.root)) continue;
    ours = true;
    HintsOfPeer(facts, peer, &hints);
    if (peer.serial) of_serial.push_back(HintOfSerial(peer));
  }
  if (peers.empty()) {
    return {
        "HBase has no replication peer yet: enter the lines that 'fensi capture --plan' prints into the HBase shell"};
  }
  if (!ours) {
    return {"no replication peer has the cluster key \"" + facts.cluster_key +
            "\"; 'fensi capture --plan' prints the line for the HBase shell"};
  }
  if (!hints.empty() || facts.arrived) return hints;
  hints.push_back(HintOfSilence(facts));
  hints.insert(hints.end(), of_serial.begin(), of_serial.end());
  return hints;
}

std::vector<std::string> HintsNow(const CaptureSettings& settings, const CaptureFacts& facts) {
  const milliseconds timeout(3'000);
  Result<hbase::SessionOptions> options = ZooKeeperSettings(settings);
  if (!options.ok()) return {options.status().message()};
  options->session_timeout = options->connect_timeout = timeout;
  const auto session = hbase::OpenZooKeeper(*options);
  if (!session.ok()) return {session.status().message()};
  const Result<std::vector<Peer>> peers = capture::ReadPeers(session.value().get(), settings.hbase_znode);
  if (peers.ok()) return HintsFrom(facts, *peers);
  if (peers.status().code() == StatusCode::kNotFound) {
    return {"ZooKeeper " + settings.zookeeper + " has no HBase at --hbase_znode " + settings.hbase_znode +
            ": name the zookeeper.znode.parent of the source HBase"};
  }
  return {"the replication peers below --hbase_znode " + settings.hbase_znode + " of ZooKeeper " + settings.zookeeper +
          " cannot be read: " + peers.status().message()};
}

}  // namespace fensi::daemon
