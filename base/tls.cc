#include "base/tls.h"

#include <openssl/x509.h>

namespace fensi {

void HardenTls(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // A session that is resumed would pass by a certificate authority that was exchanged meanwhile.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_default_passwd_cb(context, [](char*, int, int, void*) { return -1; });
}

std::string FaultOfDates(SSL_CTX* context) {
  const X509* const certificate = SSL_CTX_get0_certificate(context);
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) return "the certificate has expired";
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) return "the certificate is not valid yet";
  return "";
}

}  // namespace fensi
