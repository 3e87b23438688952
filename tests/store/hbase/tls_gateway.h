// A gateway inside the test that speaks TLS, by Thrift's own sockets and, as one may ask, its own HTTP.
#pragma once

#include <memory>
#include <string>

#include "store/gateway_security.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/authority.h"

namespace fensi::store {

struct TlsGatewayOptions {
  fensi::testing::IssuedPems shown;
  std::string client_authority;  // in PEM; empty: clients need no certificate
  bool http = false;
};

std::unique_ptr<FakeGateway> MakeTlsGateway(const TlsGatewayOptions& options);

}  // namespace fensi::store
