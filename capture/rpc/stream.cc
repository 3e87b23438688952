#include "capture/rpc/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>

#include "base/tls.h"
#include "capture/rpc/frame.h"
#include "capture/rpc/handshake.h"

namespace fensi::capture {
namespace {

using boost::system::error_code;
namespace ssl = boost::asio::ssl;

// Whoever sets up HBase has to look at these.
constexpr char kOfPeer[] =
    " in the CONFIG of the replication peer: the command of the capture prints this setting with --plan";

/// `why` is what OpenSSL says; what a person can do goes before.
std::string Otherwise(const std::string& bytes, PemContent wanted, const std::string& why) {
  const std::string other = OtherForm(bytes, wanted);
  return other.empty() ? why : other;
}

}  // namespace

TlsContext::TlsContext() : context_(ssl::context::tls_server) { HardenTls(context_.native_handle()); }

Result<std::shared_ptr<TlsContext>> TlsContext::Create(const TlsPems& pems) {
  ERR_clear_error();
  const std::shared_ptr<TlsContext> tls(new TlsContext());
  FENSI_RETURN_IF_ERROR(tls->UseCertificate(pems));
  if (!pems.client_authorities.empty()) FENSI_RETURN_IF_ERROR(tls->UseAuthorities(pems.client_authorities));
  return tls;
}

Status TlsContext::UseCertificate(const TlsPems& pems) {
  error_code error;
  context_.use_certificate_chain(boost::asio::buffer(pems.certificates), error);
  if (error)
    return UnusableFile(
        "--tls_cert_file",
        "no certificate in PEM: " + Otherwise(pems.certificates, PemContent::kCertificates, error.message()));
  const std::string fault = CheckValidityDates(context_.native_handle());
  if (!fault.empty()) return UnusableFile("--tls_cert_file", fault);
  context_.use_private_key(boost::asio::buffer(pems.key), ssl::context::pem, error);
  if (!error) return Status();
  return UnusableFile("--tls_key_file", "no key in PEM without a pass phrase that belongs to the certificate: " +
                                            Otherwise(pems.key, PemContent::kKey, error.message()));
}

Status TlsContext::UseAuthorities(const std::string& pems) {
  SSL_CTX* const raw = context_.native_handle();
  const auto authorities = CertificatesIn(pems);
  if (!authorities.ok()) {
    const std::string why = Otherwise(pems, PemContent::kCertificates, authorities.status().message());
    return UnusableFile("--tls_ca_file", "no certificates in PEM: " + why);
  }
  for (const CertificateHandle& authority : *authorities) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(raw), authority.get());
    SSL_CTX_add_client_CA(raw, authority.get());  // by which a client chooses among its certificates
  }
  SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return Status();
}

namespace {

Status FaultOfCertificate(SSL* connection) {
  const long result = SSL_get_verify_result(connection);
  const std::string why = X509_verify_cert_error_string(result);
  if (result == X509_V_ERR_CERT_NOT_YET_VALID) {
    return Status(StatusCode::kConfiguration, "the certificate of the region server is not valid yet (" + why +
                                                  "). Compare the clocks of both machines, or replace the "
                                                  "certificate in the keystore of the server");
  }
  if (result == X509_V_ERR_INVALID_PURPOSE) {
    return Status(StatusCode::kConfiguration,
                  "the certificate of the region server is not for clients (" + why +
                      "). Replace it by a certificate with the extended key usage clientAuth");
  }
  if (result == X509_V_ERR_CERT_HAS_EXPIRED) {
    return Status(StatusCode::kConfiguration, "the certificate of the region server is not valid (" + why +
                                                  "). Replace the certificate in the keystore of the server. "
                                                  "hbase.rpc.tls.keystore.location names the keystore" +
                                                  std::string(kOfPeer));
  }
  return Status(StatusCode::kInvalidArgument,
                "no authority of --tls_ca_file has signed the certificate of the client (" + why +
                    "). Add the issuer of the region servers' certificates to that file");
}

}  // namespace

Status FaultOfTls(const error_code& error, SSL* connection) {
  if (error.category() != boost::asio::error::get_ssl_category()) return Status();
  const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
  switch (reason) {
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
      return FaultOfCertificate(connection);
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return Status(StatusCode::kInvalidArgument,
                    "the client sent no certificate, and --tls_ca_file demands a certificate. Set "
                    "hbase.rpc.tls.keystore.location" +
                        std::string(kOfPeer));
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
      return Status(StatusCode::kInvalidArgument,
                    "the client does not support TLS 1.2 or later. Add TLSv1.2 to hbase.rpc.tls.enabledProtocols in "
                    "hbase-site.xml of the region servers");
    case SSL_R_NO_SHARED_CIPHER:
      return Status(StatusCode::kInvalidArgument,
                    "the client shares no cipher suite with the capture. Remove hbase.rpc.tls.ciphersuites from "
                    "hbase-site.xml of the region servers, or add a suite of TLS 1.2 or 1.3");
    default:
      break;
  }
  if (reason < SSL_AD_REASON_OFFSET)
    return Status(StatusCode::kInvalidArgument, "the TLS handshake failed: " + error.message() +
                                                    ". If a region server runs there, read its log" + kNoRegionServer);
  return Status(StatusCode::kInvalidArgument,
                "the region server refused the certificate of the capture (" + error.message() +
                    "). Put the issuer of --tls_cert_file into the truststore of the region server. "
                    "hbase.rpc.tls.truststore.location names the truststore" +
                    std::string(kOfPeer) + ". The certificate must be for the host of --announce");
}

namespace {

using boost::system::error_code;

std::string TextOf(const boost::asio::ip::tcp::endpoint& endpoint) {
  return endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
}

// A record of TLS that holds a part of a handshake.
constexpr char kHandshakeRecord = '\x16';

// Whoever is silent is asked after this time, and given up after some more: half a minute each.
constexpr int kKeepIdleSeconds = 60, kKeepIntervalSeconds = 10, kKeepProbes = 3;

void KeepAlive(boost::asio::ip::tcp::socket& socket) {
  error_code ignored;
  socket.set_option(boost::asio::socket_base::keep_alive(true), ignored);
  const int handle = socket.native_handle();
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPIDLE, &kKeepIdleSeconds, sizeof kKeepIdleSeconds);
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPINTVL, &kKeepIntervalSeconds, sizeof kKeepIntervalSeconds);
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPCNT, &kKeepProbes, sizeof kKeepProbes);
}

}  // namespace

Stream::Stream(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
  error_code ignored;
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  KeepAlive(socket_);
}

std::string Stream::OtherEnd() const {
  error_code error;
  const auto endpoint = socket_.remote_endpoint(error);
  return error ? "an unknown address" : TextOf(endpoint);
}

std::string Stream::OwnEnd() const {
  error_code error;
  const auto endpoint = socket_.local_endpoint(error);
  return error ? "an unknown address" : TextOf(endpoint);
}

void Stream::Sniff(std::function<void(const error_code&, bool)> done) {
  socket_.async_wait(boost::asio::ip::tcp::socket::wait_read, [this, done = std::move(done)](error_code error) mutable {
    if (error) return done(error, false);
    char first = 0;
    socket_.non_blocking(true, error);
    const size_t seen = socket_.receive(boost::asio::buffer(&first, 1), boost::asio::socket_base::message_peek, error);
    if (error == boost::asio::error::would_block) return Sniff(std::move(done));
    done(error, seen == 1 && first == kHandshakeRecord);
  });
}

void Stream::Handshake(std::shared_ptr<TlsContext> context, Done done) {
  context_ = std::move(context);
  tls_.emplace(socket_, context_->context());
  tls_->async_handshake(boost::asio::ssl::stream_base::server, std::move(done));
}

void Stream::Read(const boost::asio::mutable_buffer& into, Done done) {
  const auto read = [done = std::move(done)](const error_code& error, size_t) { done(error); };
  if (tls_.has_value()) return boost::asio::async_read(*tls_, into, read);
  boost::asio::async_read(socket_, into, read);
}

void Stream::Write(const boost::asio::const_buffer& from, Done done) {
  const auto written = [done = std::move(done)](const error_code& error, size_t) { done(error); };
  if (tls_.has_value()) return boost::asio::async_write(*tls_, from, written);
  boost::asio::async_write(socket_, from, written);
}

Status Stream::FaultOf(const error_code& error) {
  return tls_.has_value() ? FaultOfTls(error, tls_->native_handle()) : Status();
}

void Stream::Close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace fensi::capture
