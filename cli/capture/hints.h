// Why no edits arrive: what can be seen of the source cluster, as sentences that name the remedy.
#pragma once

#include <string>
#include <vector>

#include "capture/peers.h"

namespace fensi::cli {

struct CaptureFacts {
  std::vector<std::string> tables;
  std::string root;         // of our peer
  std::string cluster_key;  // what a peer would have to name
  std::string address;      // under which region servers look for us
  std::string principal;    // that a region server needs a ticket for; empty: it needs none
  int64_t connections_ever = 0;
  int64_t nameless_ever = 0;  // connections that ended before they said who they are
  bool arrived = false;       // an edit of these tables, some time
};

/// At least one sentence, unless edits have come before and nothing is wrong with the peers: the tables may be quiet.
/// Pure.
std::vector<std::string> HintsFrom(const CaptureFacts& facts, const std::vector<capture::Peer>& peers);

/// The same with the peers that stand below --hbase_znode. Blocks for some seconds.
std::vector<std::string> HintsNow(const CaptureFacts& facts);

}  // namespace fensi::cli
