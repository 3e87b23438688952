// The accepting side of TLS, as HBase 2.6 plays it, for FakeHBase.
#pragma once

#include <memory>
#include <string>

#include "tests/hbase/wire.h"
#include "tests/support/authority.h"

namespace fensi::hbase {

struct TlsServer {
  testing::IssuedPems shown;
  std::string client_authority;  // in PEM; empty: clients need no certificate

  /// Null: the client did not shake hands.
  std::unique_ptr<Wire> Shake(int socket) const;
};

}  // namespace fensi::hbase
