// A certificate authority for tests: as an operator's, with keys of its own.
#pragma once

#include <openssl/x509.h>

#include <memory>
#include <string>

#include "capture/rpc/tls.h"

namespace fensi::capture {

class TestAuthority {
 public:
  explicit TestAuthority(const std::string& name);
  ~TestAuthority();

  /// In PEM.
  std::string certificate() const;
  /// A certificate for 127.0.0.1, its key, and this authority as the one to be trusted. `days`: how long it is valid;
  /// negative: it ended so long ago.
  TlsPems Issue(const std::string& name, int days = 1) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The key with a pass phrase around it.
std::string EncryptedKey();

}  // namespace fensi::capture
