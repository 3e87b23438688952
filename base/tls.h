// What every TLS context of ours has in common: of the admin port, of capture's port and of the store's client.
#pragma once

#include <openssl/ssl.h>

#include <string>

namespace fensi {

/// TLS 1.2 or newer, nothing renegotiated, compressed or resumed, and no pass phrase is asked for on the terminal.
void HardenTls(SSL_CTX* context);

/// Of the certificate that the context has been given: expired, or not valid yet by this machine's clock; or empty.
std::string FaultOfDates(SSL_CTX* context);

}  // namespace fensi
