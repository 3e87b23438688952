#include "operations/access/store_security.h"

#include <string>

#include "operations/access/flag_faults.h"
#include "operations/access/secret_file.h"

namespace fensi::operations {
namespace {

Result<TlsClientFiles> ReadPems(const StoreSecurityOptions& options) {
  TlsClientFiles pems;
  const std::string &ca = options.tls_ca_file, &cert = options.tls_cert_file, &key = options.tls_key_file;
  if (!ca.empty()) FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_ca_file", ca, &pems.authorities));
  if (cert.empty()) return pems;
  FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_cert_file", cert, &pems.certificates));
  FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_key_file", key, &pems.key, /*is_secret=*/true));
  return pems;
}

}  // namespace

Result<store::GatewaySecurity> StoreSecurity(const StoreSecurityOptions& options) {
  if (options.tls_cert_file.empty() != options.tls_key_file.empty()) {
    return FlagsTogether("--store_tls_cert_file", "--store_tls_key_file");
  }
  if (options.kerberos_service.empty()) {
    const char* alone = options.qop_given                   ? "--store_qop"
                        : !options.kerberos_masters.empty() ? "--store_kerberos_masters"
                        : options.allow_simple_auth         ? "--store_allow_simple_auth"
                                                            : nullptr;
    if (alone != nullptr) {
      return FlagRequires(alone, "--store_kerberos_service, mostly hbase");
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

}  // namespace fensi::operations
