#include "base/tls.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>

namespace fensi {
namespace {

// OpenSSL would free its data when the process exits, while detached threads (unattended.h) still use it or end. Only
// the first call counts, so it is made before main (OPENSSL_init_crypto(3)).
[[maybe_unused]] const int no_cleanup_at_exit = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);

}  // namespace

void HardenTls(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // A session that is resumed would pass by a certificate authority that was exchanged meanwhile.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_default_passwd_cb(context, NoPassPhrase);
}

std::unique_ptr<BIO, FreeBio> Reading(const std::string& text) {
  return std::unique_ptr<BIO, FreeBio>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

int NoPassPhrase(char*, int, int, void*) { return -1; }

Status UnusableFile(const std::string& flag, const std::string& why) {
  return Status(StatusCode::kConfiguration, flag + ": " + why);
}

std::string LastTlsError() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return reason == nullptr ? "it cannot be read" : reason;
}

Result<std::vector<CertificateHandle>> CertificatesIn(const std::string& pems) {
  const auto bio = Reading(pems);
  std::vector<CertificateHandle> found;
  for (;;) {
    CertificateHandle one(PEM_read_bio_X509(bio.get(), nullptr, NoPassPhrase, nullptr));
    if (one == nullptr) break;
    found.push_back(std::move(one));
  }
  // The end of the text is an error, too.
  const bool whole = !found.empty() && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string why = LastTlsError();
  if (!whole) return Status(StatusCode::kConfiguration, why);
  return found;
}

std::string CheckValidityDates(SSL_CTX* context) {
  const X509* const certificate = SSL_CTX_get0_certificate(context);
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
    return "the certificate has expired. Install a new one";
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0)
    return "the certificate is not valid yet. Check the clock of this machine";
  return "";
}

std::string FormerCertificateText(const std::string& pems) {
  const auto bio = Reading(pems);
  const CertificateHandle first(PEM_read_bio_X509(bio.get(), nullptr, NoPassPhrase, nullptr));
  ERR_clear_error();
  tm end{};
  char text[32] = "";
  if (first == nullptr || ASN1_TIME_to_tm(X509_get0_notAfter(first.get()), &end) != 1) return "";
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &end);
  return std::string(". The former certificate is valid until ") + text;
}

}  // namespace fensi
