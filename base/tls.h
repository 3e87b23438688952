// Settings and helpers of every TLS context: of the admin port, of the capture's port and of the store's client.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi {

/// Requires TLS 1.2 or newer; disables renegotiation, compression and resumption, and prompts for pass phrases.
void HardenTls(SSL_CTX* context);

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using CertificateHandle = std::unique_ptr<X509, FreeCertificate>;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
/// Reads a text, which must outlive the result.
std::unique_ptr<BIO, FreeBio> Reading(const std::string& text);

/// The callback that refuses to ask for a pass phrase on the terminal.
int NoPassPhrase(char*, int, int, void*);

/// kConfiguration: the file that the flag names cannot be used.
Status UnusableFile(const std::string& flag, const std::string& why);

/// OpenSSL's last error as text; clears its queue.
std::string LastTlsError();

/// Parses a text in PEM that has only certificates. kConfiguration with OpenSSL's text: there is none, or one is
/// invalid.
Result<std::vector<CertificateHandle>> CertificatesIn(const std::string& pems);

/// Why the context's certificate is not valid now: expired, or not valid yet by this machine's clock; or empty.
std::string CheckValidityDates(SSL_CTX* context);

/// The end of a message about new files that cannot be used: until when the former certificate is valid, the first of
/// `pems`. Empty if it cannot be read.
std::string FormerCertificateText(const std::string& pems);

}  // namespace fensi
