// TLS as admin servers and their clients speak it: from the first byte of a connection, 1.2 or later.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "base/status.h"

namespace fensi::admin {

// What an admin server shows to be who it is, when it speaks TLS.

/// Texts in PEM.
struct Certificate {
  std::string chain;  // ours, then those of its issuers
  std::string key;    // of ours, without a pass phrase

  bool operator==(const Certificate&) const = default;
};

// TLS as admin servers and their clients speak it: from the first byte of a connection, 1.2 or later.

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

/// kConfiguration names the flag whose file is not right, and why.
Result<TlsContext> ServerTls(const Certificate& certificate);

/// Takes servers whose certificates these issue, in PEM, and no others.
Result<TlsContext> ClientTls(const std::string& authorities);

/// It began a request of HTTP where TLS begins.
bool IsPlainHttp(const boost::system::error_code& error);

/// The other side answered with something that is not TLS.
bool IsNoTls(const boost::system::error_code& error);

/// Whether it is the certificate of the other side, or ours, that is not taken.
bool IsOfCertificate(const boost::system::error_code& error);

}  // namespace fensi::admin
