// Security options of the connection to the store.
#pragma once

#include <string>

#include "base/kerberos.h"
#include "base/status.h"
#include "store/gateway_security.h"

namespace fensi::operations {

/// Empty: not used.
struct StoreSecurityOptions {
  std::string tls_ca_file, tls_cert_file, tls_key_file;  // PEM
  std::string kerberos_service;                          // the first part of the server's principal, or all of it
  std::string kerberos_masters;                          // of HBase's masters, if it differs
  bool allow_simple_auth = false;                        // as hbase.ipc.client.fallback-to-simple-auth-allowed
  Qop qop = Qop::kAuth;                                  // with Kerberos
  bool qop_given = false;
};

/// kInvalidArgument for options that do not go together. The files are read later, each time that a connection begins.
Result<store::GatewaySecurity> StoreSecurity(const StoreSecurityOptions& options);

}  // namespace fensi::operations
