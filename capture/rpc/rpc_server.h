// Listens as a replication peer and hands the calls of region servers to a handler.
//
// Owns one thread on which all connections live; memory for frames is bounded, whatever connects. Every method may be
// called from any thread but not at the same time. The handler, and every owner of a Call, must release all calls
// before the server is destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "capture/notices.h"
#include "capture/rpc/call.h"
#include "capture/rpc/kerberos.h"
#include "capture/rpc/stream.h"

namespace fensi::capture {

struct Endpoint {
  std::string host;   // an address of this machine, or 0.0.0.0
  uint16_t port = 0;  // 0: any free port
};

struct RpcServerOptions {
  std::vector<Endpoint> endpoints;
  size_t max_frame_bytes = size_t{256} << 20;
  size_t max_bytes = size_t{512} << 20;  // of all frames in memory; at least one of the largest always has room
  size_t max_connections = 2048;
  /// Maximum number of connections in their handshake. For one more, the oldest connection of the address with the most
  /// is closed.
  size_t max_handshakes = 256;
  std::optional<TlsPems> tls;               // absent: no TLS
  std::optional<KerberosOptions> kerberos;  // absent: no authentication
  std::vector<std::string> allow_from;      // networks (PeerFilter); none: all addresses
  /// The answer to requests for a master. Called on the server's thread; does not block.
  std::function<ClusterView()> cluster = [] { return ClusterView(); };
  std::chrono::milliseconds handshake_timeout{10'000};
  std::chrono::milliseconds stall_timeout{60'000};  // for each piece of a frame that has begun
  std::chrono::milliseconds crowd_timeout{2'000};   // as stall_timeout, while others wait for room
  std::chrono::milliseconds room_timeout{20'000};   // for a frame that waits for room
  std::chrono::milliseconds idle_timeout{180'000};
};

class RpcServer {
 public:
  /// Listens, but accepts no connection before Start. kConfiguration names the address that cannot be bound.
  static Result<std::unique_ptr<RpcServer>> Create(const RpcServerOptions& options, CallHandler* handler,
                                                   Notices notices);
  ~RpcServer();

  /// In the order of the endpoints.
  std::vector<uint16_t> ports() const;
  void Start();
  /// Accepts no new connections and calls, and blocks until calls in flight are answered or the timeout is over; then
  /// closes the rest. Once.
  void Stop(std::chrono::milliseconds timeout);

  /// For new connections; existing ones stay. kConfiguration: nothing has changed.
  Status UseTls(const TlsPems& pems);

  /// Connections that finished the handshake, now and in total.
  int64_t connections() const;
  int64_t connections_ever() const;
  /// Connections that the client ended before it was identified.
  int64_t nameless_ever() const;
  /// Connections from other addresses than `allow_from`.
  int64_t refused_peers() const;
  /// Region servers whose edits wait because they were refused.
  int64_t refused_servers() const;
  /// Bytes of all frames in memory, and their limit.
  size_t held_bytes() const;
  size_t held_limit() const;

 private:
  class Impl;
  explicit RpcServer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::capture
