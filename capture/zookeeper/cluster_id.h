// The ZooKeeper data of a peer: the id under which its source cluster knows it, and its master.
#pragma once

#include <string>

namespace fensi::capture {

/// A UUID of version 3 (MD5) of the peer's root znode: the same after every start.
std::string PeerUuid(const std::string& root);
/// The content of ROOT/hbaseid: "PBUF" and a ClusterId message.
std::string ClusterIdData(const std::string& uuid);
/// The content of ROOT/master for the server "HOST,PORT,STARTCODE": "PBUF" and a Master message.
std::string MasterData(const std::string& server);
/// The inverse; empty for anything else.
std::string MasterOf(const std::string& data);

}  // namespace fensi::capture
