#include "operations/access/store_security.h"

#include <string>

#include "operations/access/flag_faults.h"
#include "operations/access/secret_file.h"

namespace fensi::operations {
namespace {

Result<TlsClientFiles> ReadPems(const StoreSecurityOptions& options) {
  TlsClientFiles pems;
  const std::string &ca = options.tls_ca_file, &cert = options.tls_cert_file, &key = options.tls_key_file;
  const std::string& flags = options.flags;
  if (!ca.empty()) FENSI_RETURN_IF_ERROR(ReadPem((flags + "_tls_ca_file").c_str(), ca, &pems.authorities));
  if (cert.empty()) return pems;
  FENSI_RETURN_IF_ERROR(ReadPem((flags + "_tls_cert_file").c_str(), cert, &pems.certificates));
  FENSI_RETURN_IF_ERROR(ReadPem((flags + "_tls_key_file").c_str(), key, &pems.key, /*is_secret=*/true));
  return pems;
}

bool HasTls(const std::string& url) {
  return url.starts_with("hbases://") || url.starts_with("thrifts://") || url.starts_with("thrift+https://");
}

}  // namespace

Result<store::GatewaySecurity> StoreSecurity(const StoreSecurityOptions& options) {
  if (options.tls_cert_file.empty() != options.tls_key_file.empty()) {
    return FlagsTogether(options.flags + "_tls_cert_file", options.flags + "_tls_key_file");
  }
  if (options.kerberos_service.empty()) {
    const char* alone = options.qop_given                   ? "_qop"
                        : !options.kerberos_masters.empty() ? "_kerberos_masters"
                        : options.allow_simple_auth         ? "_allow_simple_auth"
                                                            : nullptr;
    if (alone != nullptr) {
      return FlagRequires(options.flags + alone, options.flags + "_kerberos_service, mostly hbase");
    }
  }
  store::GatewaySecurity security;
  security.kerberos_service = options.kerberos_service;
  security.kerberos_masters = options.kerberos_masters;
  security.allow_simple_auth = options.allow_simple_auth;
  security.qop = options.qop;
  if (!options.tls_ca_file.empty() || !options.tls_cert_file.empty()) {
    security.pems = [options] { return ReadPems(options); };
  }
  return security;
}

StoreSecurityOptions SecurityOfSource(const StoreSecurityOptions& of_store, const std::string& store_url,
                                      StoreSecurityOptions given, const std::string& source_url) {
  const bool takes_kerberos = !source_url.starts_with("embedded:") && !source_url.starts_with("thrift+https://");
  if (given.kerberos_service == kNoKerberos) {
    given.kerberos_service.clear();
  } else if (given.kerberos_service.empty() && takes_kerberos) {
    given.kerberos_service = of_store.kerberos_service;
    const bool of_hbase = source_url.starts_with("hbase");
    if (given.kerberos_masters.empty() && of_hbase) given.kerberos_masters = of_store.kerberos_masters;
  }
  if (!given.qop_given && !given.kerberos_service.empty()) given.qop = of_store.qop;
  if (!HasTls(source_url) || !HasTls(store_url)) return given;
  if (given.tls_ca_file.empty()) given.tls_ca_file = of_store.tls_ca_file;
  if (!given.tls_cert_file.empty() || !given.tls_key_file.empty()) return given;
  given.tls_cert_file = of_store.tls_cert_file;
  given.tls_key_file = of_store.tls_key_file;
  return given;
}

}  // namespace fensi::operations
