#include "admin/tls.h"

#include <openssl/err.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/error.hpp>

#include "base/tls.h"

namespace fensi::admin {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

TlsContext NewContext(ssl::context::method method) {
  ERR_clear_error();
  auto tls = std::make_shared<ssl::context>(method);
  HardenTls(tls->native_handle());
  return tls;
}

int ReasonOf(const error_code& error) {
  if (error.category() != boost::asio::error::get_ssl_category()) return 0;
  return ERR_GET_REASON(static_cast<unsigned long>(error.value()));
}

}  // namespace

Result<TlsContext> ServerTls(const Certificate& certificate) {
  const TlsContext tls = NewContext(ssl::context::tls_server);
  error_code error;
  tls->use_certificate_chain(boost::asio::buffer(certificate.chain), error);
  if (error) return UnusableFile("--admin_tls_cert_file", "no certificate in PEM: " + error.message());
  const std::string fault = CheckValidityDates(tls->native_handle());
  if (!fault.empty()) return UnusableFile("--admin_tls_cert_file", fault);
  tls->use_private_key(boost::asio::buffer(certificate.key), ssl::context::pem, error);
  if (!error) return tls;
  return UnusableFile("--admin_tls_key_file",
                      "no key in PEM without a pass phrase that belongs to the certificate: " + error.message());
}

Result<TlsContext> ClientTls(const std::string& authorities) {
  const TlsContext tls = NewContext(ssl::context::tls_client);
  const auto known = CertificatesIn(authorities);
  if (!known.ok()) return UnusableFile("--daemon_ca_file", "no certificates in PEM: " + known.status().message());
  for (const CertificateHandle& one : *known) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(tls->native_handle()), one.get());
  }
  tls->set_verify_mode(ssl::verify_peer);
  return tls;
}

bool IsPlainHttp(const error_code& error) {
  const int reason = ReasonOf(error);
  return reason == SSL_R_HTTP_REQUEST || reason == SSL_R_HTTPS_PROXY_REQUEST;
}

bool IsNoTls(const error_code& error) {
  const int reason = ReasonOf(error);
  return IsPlainHttp(error) || reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_PACKET_LENGTH_TOO_LONG ||
         reason == SSL_R_UNEXPECTED_MESSAGE;
}

bool IsOfCertificate(const error_code& error) { return ReasonOf(error) == SSL_R_CERTIFICATE_VERIFY_FAILED; }

}  // namespace fensi::admin
