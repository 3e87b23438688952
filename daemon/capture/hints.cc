#include <algorithm>

#include "base/text.h"
#include "daemon/capture/watch.h"

namespace fensi::daemon {
namespace {

using capture::Peer;

/// Hints about errors in our own peer.
void HintsOfPeer(const CaptureFacts& facts, const Peer& peer, std::vector<std::string>* hints) {
  if (!peer.enabled)
    hints->push_back("replication peer '" + peer.id + "' is disabled. Enter in the HBase shell: enable_peer '" +
                     peer.id + "'");
  for (const std::string& table : facts.tables) {
    const bool named = std::find(peer.tables.begin(), peer.tables.end(), table) != peer.tables.end();
    if (peer.all_tables || named) continue;
    hints->push_back(capture::MissingTableText(peer, table));
  }
}

std::string HintOfSerial(const Peer& peer) { return capture::SerialPeerText(peer); }

constexpr char kScopeRemedy[] =
    "the command of this capture with --plan and --store=URL prints the lines that set REPLICATION_SCOPE";

/// Nothing is wrong with the peers; who has come?
std::string HintOfSilence(const CaptureFacts& facts) {
  if (facts.connections_ever == 0 && facts.nameless_ever > 0 && !facts.principal.empty()) {
    return Counted(facts.nameless_ever, "connection") + " came to " + facts.address +
           " and ended without a word. They may be health checks, or region servers that get no Kerberos ticket for " +
           facts.principal +
           ". The log of such a region server says why. Create this principal in the KDC, and set "
           "hbase.regionserver.kerberos.principal to it in the CONFIG of the replication peer: the command of the "
           "capture prints this setting with --plan";
  }
  if (facts.connections_ever == 0) {
    return "no region server has connected. There are three causes. No application has written to the tables. Or their "
           "families have no REPLICATION_SCOPE: " +
           std::string(kScopeRemedy) + ". Or region servers cannot reach " + facts.address + " (--announce)";
  }
  return "region servers are connected and send no edits of the captured tables. No application has written to the "
         "tables, or their families had no REPLICATION_SCOPE at that time: " +
         std::string(kScopeRemedy);
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
    return {"HBase has no replication peer yet. To add the peer, " + std::string(capture::kPlanRemedy)};
  }
  if (!ours) return {capture::NoPeerText(facts.root)};
  if (!hints.empty() || facts.arrived) return hints;
  hints.push_back(HintOfSilence(facts));
  hints.insert(hints.end(), of_serial.begin(), of_serial.end());
  return hints;
}

std::vector<std::string> HintsNow(const CaptureSettings& settings, const CaptureFacts& facts) {
  const auto session = OpenZooKeeperBriefly(settings);
  if (!session.ok()) return {session.status().message()};
  const Result<std::vector<Peer>> peers = capture::ReadPeers(session.value().get(), settings.hbase_znode);
  if (peers.ok()) return HintsFrom(facts, *peers);
  if (peers.status().code() == StatusCode::kNotFound) {
    return {"ZooKeeper " + settings.zookeeper + " has no HBase at --hbase_znode " + settings.hbase_znode +
            ". Set --hbase_znode to zookeeper.znode.parent of the source HBase, such as /hbase"};
  }
  return {"the capture cannot read the replication peers below --hbase_znode " + settings.hbase_znode +
          " of ZooKeeper " + settings.zookeeper + ": " + peers.status().message()};
}

}  // namespace fensi::daemon
