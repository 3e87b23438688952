// Opens a store by its URL. Any thread. Opening does not connect to HBase: the first call does.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/gateway_security.h"
#include "store/store.h"

namespace fensi::store {

struct OpenOptions {
  bool read_only = false;  // embedded only: beside a running daemon
  bool existing = false;   // embedded only: an absent store is kNotFound and not created
  int connections = 4;     // hbase only, as the following; 2 to 4 are best
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};  // of a call as a whole; mostly longer than the gateway's own retries
  /// Until the server has answered once, calls end this long after the opening.
  std::optional<std::chrono::milliseconds> first_answer;
  std::shared_ptr<ConnectionCounts> counts;  // null: not counted
  GatewaySecurity security;
  Clock* clock = SystemClock();  // must outlive the store
};

/// A parsed store URL.
struct StoreUrl {
  enum class Kind { kEmbedded, kHBase, kHBaseTls, kThrift, kThriftTls, kThriftHttps };
  Kind kind = Kind::kEmbedded;
  std::string directory;  // embedded only
  std::string host;       // host of a gateway, as the port and the path
  int port = 9090;
  std::string http_path;  // "/" or more, over HTTPS only
  /// For HBase itself: ZooKeeper's servers and a znode, or masters.
  std::vector<std::pair<std::string, int>> servers;
  std::string znode;  // "/hbase"; empty: masters
};

/// Parses "embedded:DIRECTORY"; HBase itself by the servers of its ZooKeeper, "hbase://HOST:PORT,HOST:PORT/ZNODE" (port
/// 2181 if absent), or by its masters, "hbase://HOST:PORT,HOST:PORT" (16000), or over TLS with "hbases://"; or a
/// Thrift2 gateway: "thrift://HOST:PORT", "thrifts://HOST:PORT" over TLS, or "thrift+https://HOST:PORT/PATH" (9090).
/// [::1] is an IPv6 address, which ZooKeeper's client cannot use. Anything else is kInvalidArgument and names the
/// possible forms.
Result<StoreUrl> ParseStoreUrl(const std::string& url);

/// True if both URLs surely lead to one store: the same folder, gateway, or servers of one cluster. Two ways to one
/// HBase, such as a gateway and a master, are not recognised. No I/O, except for the names of folders.
bool LeadToOneStore(const StoreUrl& one, const StoreUrl& other);

/// kInvalidArgument, too, for secrets of a connection that would not use them.
Result<std::unique_ptr<Store>> OpenStore(const std::string& url, const OpenOptions& options = {});

/// An empty embedded store in memory; for tests and for trying out events.
Result<std::unique_ptr<Store>> OpenMemoryStore(Clock* clock);

}  // namespace fensi::store
