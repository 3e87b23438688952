// tests/support/authority.h, whose certificates are a capture's.
#pragma once

#include <string>

#include "capture/rpc/stream.h"
#include "tests/support/authority.h"

namespace fensi::capture {

class TestAuthority : public fensi::testing::Authority {
 public:
  using Authority::Authority;
  /// With this authority as the one to be trusted.
  TlsPems Issue(const std::string& name, int days = 1, int in_days = 0) const {
    const fensi::testing::IssuedPems issued = Authority::Issue(name, days, "IP:127.0.0.1", in_days);
    return {issued.certificate, issued.key, issued.authority};
  }
};

}  // namespace fensi::capture
