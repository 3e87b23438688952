// What every TLS context of ours has in common: of the admin port, of capture's port and of the store's client.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi {

/// TLS 1.2 or newer, nothing renegotiated, compressed or resumed, and no pass phrase is asked for on the terminal.
void HardenTls(SSL_CTX* context);

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using CertificateHandle = std::unique_ptr<X509, FreeCertificate>;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
/// Of a text that outlives it.
std::unique_ptr<BIO, FreeBio> Reading(const std::string& text);

/// Nobody is asked on the terminal for the pass phrase of what is in PEM.
int NoPassPhrase(char*, int, int, void*);

/// OpenSSL's last error, in its words; its queue is empty afterwards.
std::string LastTlsError();

/// Of a text in PEM that has nothing else. kConfiguration, in OpenSSL's words: there is none, or something is not one.
Result<std::vector<CertificateHandle>> CertificatesIn(const std::string& pems);

/// Of the certificate that the context has been given: expired, or not valid yet by this machine's clock; or empty.
std::string FaultOfDates(SSL_CTX* context);

}  // namespace fensi
