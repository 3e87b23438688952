// TLS as this server speaks it: from the first byte of a connection, 1.2 or later, without renegotiation and
// resumption.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>
#include <memory>
#include <string>

#include "base/status.h"

namespace fensi::capture {

/// Texts in PEM.
struct TlsPems {
  std::string certificates;        // ours, then those of its issuers
  std::string key;                 // of ours, without a pass phrase
  std::string client_authorities;  // who issues the certificates of region servers; empty: they need none

  bool operator==(const TlsPems&) const = default;
};

/// Fixed after construction; shared by the connections that began with it.
class TlsContext {
 public:
  /// kConfiguration names the flag whose file is not right, and why.
  static Result<std::shared_ptr<TlsContext>> Create(const TlsPems& pems);

  boost::asio::ssl::context& context() { return context_; }

 private:
  TlsContext();
  Status UseCertificate(const TlsPems& pems);
  Status UseAuthorities(const std::string& pems);

  boost::asio::ssl::context context_;
};

/// Why a connection could not be made, for people; ok: not because of TLS. kConfiguration: a certificate of ours to
/// trust has expired; kInvalidArgument: what anybody may cause.
Status FaultOfTls(const boost::system::error_code& error, SSL* connection);

}  // namespace fensi::capture
