// Security of a connection to a gateway of HBase, or to HBase itself: TLS, Kerberos, both, or neither.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "base/kerberos.h"
#include "base/status.h"
#include "base/tls_client.h"

namespace fensi::store {

/// Counters of a store's connections. Thread-safe.
struct ConnectionCounts {
  std::atomic<int64_t> made = 0;  // since the opening
  std::atomic<int64_t> open = 0;
  std::atomic<int64_t> busy = 0;  // in use by a caller, or connecting for one
};

// Security of a connection to a gateway of HBase.

/// The remedy for a gateway that wants Kerberos over HTTP.
inline constexpr char kNoSpnego[] =
    "fensi does not support Kerberos over HTTP (SPNEGO). Run the gateway in binary mode with "
    "hbase.thrift.security.qop=auth-conf, and give --store=thrift://HOST:PORT --store_kerberos_service=hbase";

struct GatewaySecurity {
  /// Returns the current content of the files; called for each connection, so that new files count without a restart.
  /// Null: no TLS files.
  std::function<Result<TlsClientFiles>()> pems;
  /// First part of the server's principal, for instance "hbase"; for HBase itself also "hbase/_HOST@REALM". Empty: no
  /// Kerberos.
  std::string kerberos_service;
  std::string kerberos_masters;  // the same of HBase's masters, if it differs
  Qop qop = Qop::kAuthConf;
  bool allow_simple_auth = false;  // HBase's servers without Kerberos are good, too
};

}  // namespace fensi::store
