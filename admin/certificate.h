// What an admin server shows to be who it is, when it speaks TLS.
#pragma once

#include <string>

namespace fensi::admin {

/// Texts in PEM.
struct Certificate {
  std::string chain;  // ours, then those of its issuers
  std::string key;    // of ours, without a pass phrase

  bool operator==(const Certificate&) const = default;
};

}  // namespace fensi::admin
