// TLS as admin servers and their clients speak it: from the first byte of a connection, 1.2 or later.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "admin/certificate.h"
#include "base/status.h"

namespace fensi::admin {

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

/// kConfiguration names the flag whose file is not right, and why.
Result<TlsContext> ServerTls(const Certificate& certificate);

/// Takes servers whose certificates these issue, in PEM, and no others.
Result<TlsContext> ClientTls(const std::string& authorities);

/// It began a request of HTTP where TLS begins.
bool IsPlainHttp(const boost::system::error_code& error);

/// Whether it is the certificate of the other side, or ours, that is not taken.
bool IsOfCertificate(const boost::system::error_code& error);

}  // namespace fensi::admin
