// The id under which a peer is known to its source cluster.
#pragma once

#include <string>

namespace fensi::capture {

/// A UUID of version 3 (MD5) of the peer's root znode: the same after every start.
std::string PeerUuid(const std::string& root);
/// What stands in ROOT/hbaseid: "PBUF" and a ClusterId message.
std::string ClusterIdData(const std::string& uuid);

}  // namespace fensi::capture
