// Security of a connection to a gateway of HBase: TLS, Kerberos, both, or neither.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "base/kerberos.h"
#include "base/status.h"

namespace fensi::store {

/// Counters of a store's connections. Thread-safe.
struct ConnectionCounts {
  std::atomic<int64_t> made = 0;  // since the opening
  std::atomic<int64_t> open = 0;
  std::atomic<int64_t> busy = 0;  // in use by a caller, or connecting for one
};

// Security of a connection to a gateway of HBase.

/// Texts in PEM. Empty: the authorities of this machine; no client certificate.
struct GatewayTlsFiles {
  std::string authorities;
  std::string certificates;  // client certificate, with its issuers
  std::string key;           // private key, without a pass phrase

  bool operator==(const GatewayTlsFiles&) const = default;
};

/// The remedy for a gateway that wants Kerberos over HTTP.
inline constexpr char kNoSpnego[] =
    "fensi does not support Kerberos over HTTP (SPNEGO). Run the gateway in binary mode with "
    "hbase.thrift.security.qop=auth-conf, and give --store=thrift://HOST:PORT --store_kerberos_service=hbase";

struct GatewaySecurity {
  /// Returns the current content of the files; called for each connection, so that new files count without a restart.
  /// Null: no TLS files.
  std::function<Result<GatewayTlsFiles>()> pems;
  std::string kerberos_service;  // first part of the gateway's principal, for instance "hbase"; empty: no Kerberos
  Qop qop = Qop::kAuthConf;
};

}  // namespace fensi::store
