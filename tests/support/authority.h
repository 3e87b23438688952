// A certificate authority for tests: as an operator's, with keys of its own.
#pragma once

#include <memory>
#include <string>

namespace fensi::testing {

/// In PEM.
struct IssuedPems {
  std::string certificate;
  std::string key;
  std::string authority;  // who issued it
};

class Authority {
 public:
  explicit Authority(const std::string& name);
  ~Authority();

  /// In PEM.
  std::string certificate() const;
  /// A certificate and its key. `days`: how long it is valid; negative: it ended so long ago; in so many days it
  /// begins. `hosts` as OpenSSL writes them: "IP:127.0.0.1,DNS:localhost".
  IssuedPems Issue(const std::string& name, int days = 1, const std::string& hosts = "IP:127.0.0.1",
                   int in_days = 0) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A key with a pass phrase around it.
std::string EncryptedKey();

}  // namespace fensi::testing
