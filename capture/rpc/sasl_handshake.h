// Authenticates a region server by Kerberos: exchanges SASL tokens right after the preamble.
//
// A part of a connection; lives on the server's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "capture/rpc/link.h"

namespace fensi::capture {

/// A token is at most kMostTokenBytes long (one with the groups of an Active Directory has up to 48,000 bytes), there
/// are at most kMostTokens, and Link's wait for the whole handshake continues meanwhile.
class SaslHandshake {
 public:
  /// `done` is called once, if it succeeds: then the link is ready, and sealed if the bytes are protected.
  SaslHandshake(Link* link, ConnectionContext* context, std::function<void()> done)
      : link_(link), context_(context), done_(std::move(done)) {}

  void Begin();

 private:
  static constexpr uint32_t kMostTokenBytes = 64 * 1024;
  static constexpr int kMostTokens = 8;  // Kerberos needs three

  void ReadLength();
  void ReadToken(uint32_t length);
  void Take(const std::string& token);
  void End();

  Link* const link_;
  ConnectionContext* const context_;
  const std::function<void()> done_;
  std::unique_ptr<KerberosSession> session_;
  int tokens_ = 0;
};

}  // namespace fensi::capture
