// How a connection to a gateway of HBase is kept from others: TLS, Kerberos, both, or neither.
#pragma once

#include <functional>
#include <string>

#include "base/qop.h"
#include "base/status.h"

namespace fensi::store {

/// Texts in PEM. Empty: the authorities of this machine; no certificate of our own.
struct GatewayPems {
  std::string authorities;
  std::string certificates;  // ours, with its issuers
  std::string key;           // of ours, without a pass phrase

  bool operator==(const GatewayPems&) const = default;
};

struct GatewaySecurity {
  /// What stands in the files now; asked for each connection, so that new ones count without a restart. Null: none.
  std::function<Result<GatewayPems>()> pems;
  std::string kerberos_service;  // first part of the gateway's principal, as "hbase"; empty: no Kerberos
  Qop qop = Qop::kAuthConf;
};

}  // namespace fensi::store
