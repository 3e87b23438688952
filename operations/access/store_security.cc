#include "operations/access/store_security.h"

#include <string>

#include "operations/access/flag_faults.h"
#include "operations/access/secret_file.h"

namespace fensi::operations {
namespace {

Result<store::GatewayTlsFiles> ReadPems(const StoreSecurityOptions& options) {
  store::GatewayTlsFiles pems;
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
  if (options.kerberos_service.empty() && options.qop_given) {
    return FlagRequires("--store_qop", "--store_kerberos_service, mostly hbase");
  }
  store::GatewaySecurity security;
  security.kerberos_service = options.kerberos_service;
  security.qop = options.qop;
  if (!options.tls_ca_file.empty() || !options.tls_cert_file.empty()) {
    security.pems = [options] { return ReadPems(options); };
  }
  return security;
}

}  // namespace fensi::operations
