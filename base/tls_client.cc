#include "base/tls_client.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/text.h"
#include "base/tls.h"

namespace fensi {
namespace {

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

Status NoCertificates(const std::string& flag, const Status& why) {
  return UnusableFile(flag, "no certificates in PEM: " + why.message());
}

Status Configuration(const std::string& text) { return Status(StatusCode::kConfiguration, text); }

Status FaultOfCertificate(long result, const std::string& host) {
  const std::string why = X509_verify_cert_error_string(result);
  switch (result) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return Configuration("the server's certificate is not for " + host + " (" + why +
                           "): write the host's name of the certificate in --store");
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
    case X509_V_ERR_INVALID_PURPOSE:  // it is one of a client
      return Configuration("the server's certificate is not valid (" + why + "): renew the certificate of the server");
    default:
      return Configuration("the server's certificate was signed by an unknown authority (" + why +
                           "): name that authority's certificate with --store_tls_ca_file");
  }
}

/// The gateway's alert about our certificate, or about the lack of one.
bool IsOfOurCertificate(int alert) {
  constexpr std::array kAlerts = {SSL_AD_BAD_CERTIFICATE,     SSL_AD_UNSUPPORTED_CERTIFICATE,
                                  SSL_AD_CERTIFICATE_REVOKED, SSL_AD_CERTIFICATE_EXPIRED,
                                  SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA,
                                  SSL_AD_ACCESS_DENIED,       SSL_AD_CERTIFICATE_REQUIRED};
  return std::find(kAlerts.begin(), kAlerts.end(), alert) != kAlerts.end();
}

Status FaultOfAlert(int alert, const std::string& why, bool has_certificate, bool was_asked) {
  if (!has_certificate && was_asked) {
    return Status(StatusCode::kPermission, "the server demands a certificate (" + why +
                                               "): give --store_tls_cert_file and --store_tls_key_file");
  }
  if (has_certificate && (IsOfOurCertificate(alert) || alert == SSL_AD_HANDSHAKE_FAILURE)) {
    return Status(StatusCode::kPermission, "the server refused the certificate of --store_tls_cert_file (" + why +
                                               "): give a certificate that the server trusts");
  }
  if (alert == SSL_AD_PROTOCOL_VERSION)
    return Configuration("the server does not speak TLS 1.2 or later (" + why + "): enable TLS 1.2 or 1.3 in its Java");
  return Status(StatusCode::kUnavailable, "the server ended the TLS handshake (" + why + "): read the server's log");
}

Status FaultOfTls(int reason, const std::string& why, const std::string& plain) {
  switch (reason) {
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
      return Configuration("the server does not speak TLS 1.2 or later (" + why +
                           "): enable TLS 1.2 or 1.3 in its Java");
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_UNEXPECTED_MESSAGE:
      return Configuration("the server does not speak TLS (" + why + "): write " + plain + " in --store");
    default:
      return Status(StatusCode::kUnavailable, "TLS failed (" + why + "): read the server's log");
  }
}

}  // namespace

TlsClientContext::TlsClientContext() : context_(SSL_CTX_new(TLS_client_method())) {
  if (context_ == nullptr) throw std::bad_alloc();
  HardenTls(context_);
  SSL_CTX_set_mode(context_, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
}

TlsClientContext::~TlsClientContext() { SSL_CTX_free(context_); }

Result<std::shared_ptr<const TlsClientContext>> TlsClientContext::Create(const TlsClientFiles& pems) {
  ERR_clear_error();
  const std::shared_ptr<TlsClientContext> made(new TlsClientContext());
  FENSI_RETURN_IF_ERROR(made->UseAuthorities(pems.authorities));
  if (!pems.certificates.empty()) FENSI_RETURN_IF_ERROR(made->UseCertificate(pems));
  return std::shared_ptr<const TlsClientContext>(made);
}

Status TlsClientContext::UseAuthorities(const std::string& pems) {
  if (pems.empty()) {
    SSL_CTX_set_default_verify_paths(context_);
    return Status();
  }
  const auto authorities = CertificatesIn(pems);
  if (!authorities.ok()) return NoCertificates("--store_tls_ca_file", authorities.status());
  for (const CertificateHandle& one : *authorities) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), one.get()) != 1) {
      return UnusableFile("--store_tls_ca_file", LastTlsError());
    }
  }
  return Status();
}

/// The first of the text is ours, those behind it lead to an authority.
Status TlsClientContext::UseCertificate(const TlsClientFiles& pems) {
  auto chain = CertificatesIn(pems.certificates);
  if (!chain.ok()) return NoCertificates("--store_tls_cert_file", chain.status());
  bool taken = SSL_CTX_use_certificate(context_, chain->front().get()) == 1;
  for (size_t i = 1; i < chain->size() && taken; ++i) {
    taken = SSL_CTX_add1_chain_cert(context_, (*chain)[i].get()) == 1;
  }
  const std::string fault = taken ? CheckValidityDates(context_) : LastTlsError();
  if (!fault.empty()) return UnusableFile("--store_tls_cert_file", fault);
  return UseKey(pems.key);
}

Status TlsClientContext::UseKey(const std::string& pem) {
  const auto bio = Reading(pem);
  const std::unique_ptr<EVP_PKEY, FreeKey> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassPhrase, nullptr));
  if (key == nullptr || SSL_CTX_use_PrivateKey(context_, key.get()) != 1) {
    return UnusableFile("--store_tls_key_file",
                        "no key in PEM without a pass phrase that belongs to the certificate: " + LastTlsError());
  }
  has_certificate_ = true;
  return Status();
}

Result<std::shared_ptr<const TlsClientContext>> TlsClientContexts::Newest(std::string* kept) {
  const MutexLock lock(mu_);
  Result<std::shared_ptr<const TlsClientContext>> newest = Make();
  if (newest.ok() || context_ == nullptr) return newest;
  *kept = newest.status().message();
  return context_;
}

Result<std::shared_ptr<const TlsClientContext>> TlsClientContexts::Make() {
  FENSI_ASSIGN_OR_RETURN(TlsClientFiles found, read_ ? read_() : TlsClientFiles());
  if (context_ != nullptr && found == pems_) return context_;
  Result<std::shared_ptr<const TlsClientContext>> made = TlsClientContext::Create(found);
  if (!made.ok()) return made;
  pems_ = std::move(found);
  context_ = *made;
  return made;
}

TlsClient::TlsClient(std::shared_ptr<const TlsClientContext> context, const std::string& host, std::string plain)
    : context_(std::move(context)),
      host_(host),
      plain_(std::move(plain)),
      ssl_(SSL_new(context_->get())),
      came_(BIO_new(BIO_s_mem())),
      goes_(BIO_new(BIO_s_mem())) {
  if (ssl_ == nullptr || came_ == nullptr || goes_ == nullptr) throw std::bad_alloc();
  SSL_set_bio(ssl_, came_, goes_);
  ExpectHost();
  SSL_set_app_data(ssl_, this);
  const auto ask = [](SSL* ssl, void*) {
    auto* self = static_cast<TlsClient*>(SSL_get_app_data(ssl));
    self->was_asked_ = !self->context_->has_certificate();
    return 1;
  };
  SSL_set_cert_cb(ssl_, ask, nullptr);
}

TlsClient::~TlsClient() { SSL_free(ssl_); }

void TlsClient::ExpectHost() const {
  if (IsNumericAddress(host_)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), host_.c_str());
    return;
  }
  SSL_set_tlsext_host_name(ssl_, host_.c_str());
  SSL_set_hostflags(ssl_, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  SSL_set1_host(ssl_, host_.c_str());
}

Status TlsClient::Fault() const {
  const unsigned long error = ERR_peek_last_error();
  const int reason = ERR_GET_REASON(error);
  const char* words = ERR_reason_error_string(error);
  const std::string why = words == nullptr ? "no reason given" : words;
  if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) return FaultOfCertificate(SSL_get_verify_result(ssl_), host_);
  if (reason >= SSL_AD_REASON_OFFSET) {
    return FaultOfAlert(reason - SSL_AD_REASON_OFFSET, why, context_->has_certificate(), was_asked_);
  }
  return FaultOfTls(reason, why, plain_);
}

}  // namespace fensi
