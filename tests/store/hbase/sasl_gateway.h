// A gateway inside the test that demands Kerberos: Thrift's SASL by the server's side of Cyrus SASL.
//
// Its principal is hbase/localhost, whose key is in the keytab of KRB5_KTNAME.
#pragma once

#include <memory>

#include "store/gateway_security.h"
#include "tests/store/hbase/fake_gateway.h"

namespace fensi::store {

/// As hbase.thrift.security.qop. Frames of answers are as long as the answer, as those of Java.
std::unique_ptr<FakeGateway> MakeSaslGateway(Qop qop);

}  // namespace fensi::store
