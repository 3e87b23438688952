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
  std::string flags = "--store";  // how their flags begin, for messages
};

/// kInvalidArgument for options that do not go together. The files are read later, each time that a connection begins.
Result<store::GatewaySecurity> StoreSecurity(const StoreSecurityOptions& options);

/// As the service of a source cluster: it has no Kerberos, while the cluster of the index has.
inline constexpr char kNoKerberos[] = "none";

/// The options of a source cluster: those that are given, and for the others those of the index's store. A login by
/// Kerberos is taken over with its principals and its protection, a TLS file only between two URLs with TLS, and a
/// certificate only with its key. Permission to log in without Kerberos is never taken over.
StoreSecurityOptions SecurityOfSource(const StoreSecurityOptions& of_store, const std::string& store_url,
                                      StoreSecurityOptions given, const std::string& source_url);

}  // namespace fensi::operations
