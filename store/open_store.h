// A store by its URL. Any thread. Opening hbase:// does not connect: the first call does.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "store/connection_counts.h"
#include "store/gateway_security.h"
#include "store/store.h"

namespace fensi::store {

struct OpenOptions {
  bool read_only = false;  // embedded only: beside a running daemon
  bool existing = false;   // embedded only: an absent one is kNotFound and is not made
  int connections = 4;     // hbase only, as the rest; 2 to 4 are the best
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};  // of a call as a whole; mostly longer than the gateway's own retries
  /// Until the server has answered once, calls end this long after the opening.
  std::optional<std::chrono::milliseconds> first_answer;
  std::shared_ptr<ConnectionCounts> counts;  // null: nobody wants to know
  GatewaySecurity security;
  Clock* clock = SystemClock();  // must outlive the store
};

/// Where a store is, taken apart.
struct StoreUrl {
  enum class Kind { kEmbedded, kHBase, kHBaseTls, kHBaseHttps };
  Kind kind = Kind::kEmbedded;
  std::string directory;  // embedded only
  std::string host;       // the rest otherwise
  int port = 9090;
  std::string http_path;  // "/" or more, by HTTPS only
};

/// "embedded:DIRECTORY", or a Thrift2 gateway: "hbase://HOST:PORT", "hbases://HOST:PORT" by TLS, or
/// "hbase+https://HOST:PORT/PATH" (port 9090 when absent; [::1] for an address of IPv6). Anything else is
/// kInvalidArgument and names the forms that are possible.
Result<StoreUrl> ParseStoreUrl(const std::string& url);

/// kInvalidArgument, too, for secrets of a connection that would not use them.
Result<std::unique_ptr<Store>> OpenStore(const std::string& url, const OpenOptions& options = {});

/// An empty embedded store that keeps nothing; for tests and for trying events out.
Result<std::unique_ptr<Store>> OpenMemoryStore(Clock* clock);

}  // namespace fensi::store
