// Finds the starting points of a cluster: its id, its active master, and the server of hbase:meta.
//
// Thread-safe. Every method blocks, until the time of a call is over (kUnavailable) or its permission ends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hbase/locate/region.h"
#include "hbase/wire/call_scope.h"
#include "hbase/wire/connections.h"
#include "proto/hbase_rpc.pb.h"

namespace fensi::hbase {

class Registry {
 public:
  virtual ~Registry() = default;
  virtual Result<std::string> ClusterId(const CallScope& scope) = 0;
  virtual Result<ServerAddress> ActiveMaster(const CallScope& scope) = 0;
  virtual Result<ServerAddress> MetaServer(const CallScope& scope) = 0;
  /// "ZooKeeper at HOST:PORT,…" or "masters HOST:PORT,…", for messages.
  virtual std::string Name() const = 0;
};

/// Reads znodes below `root` ("/hbase"). Opens a session for each query, because there are few.
std::unique_ptr<Registry> MakeZooKeeperRegistry(const std::vector<ServerAddress>& servers, const std::string& root);

/// Calls ClientMetaService of masters or region servers (HBase 2.5 and later). `connections` must outlive it.
std::unique_ptr<Registry> MakeRpcRegistry(const std::vector<ServerAddress>& servers, Connections* connections);

/// Without the start code.
ServerAddress AddressFrom(const proto::hbase::ServerName& name);

/// Strips the prefix of a znode of HBase; false: no such prefix. ("PBUF" and the message, after the writer's id: 0xFF,
/// int32 n, n bytes.)
bool StripZnode(std::string_view data, std::string_view* message);

}  // namespace fensi::hbase
