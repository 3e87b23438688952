#include "cli/access/store_security.h"

#include <string>

#include "base/qop.h"
#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

Result<store::GatewayPems> ReadPems() {
  store::GatewayPems pems;
  const std::string &ca = FLAGS_store_tls_ca_file, &cert = FLAGS_store_tls_cert_file, &key = FLAGS_store_tls_key_file;
  if (!ca.empty()) FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_ca_file", ca, &pems.authorities));
  if (cert.empty()) return pems;
  FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_cert_file", cert, &pems.certificates));
  FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_key_file", key, &pems.key, /*is_secret=*/true));
  return pems;
}

}  // namespace

Result<store::GatewaySecurity> StoreSecurity() {
  if (FLAGS_store_tls_cert_file.empty() != FLAGS_store_tls_key_file.empty()) {
    return InvalidArgument("--store_tls_cert_file and --store_tls_key_file go together");
  }
  if (FLAGS_store_kerberos_service.empty() && FlagIsGiven("store_qop")) {
    return InvalidArgument("--store_qop is for Kerberos: it needs --store_kerberos_service, mostly =hbase");
  }
  store::GatewaySecurity security;
  security.kerberos_service = FLAGS_store_kerberos_service;
  security.qop = *QopNamed(FLAGS_store_qop);  // the flag's rule has seen it
  if (!FLAGS_store_tls_ca_file.empty() || !FLAGS_store_tls_cert_file.empty()) security.pems = ReadPems;
  return security;
}

}  // namespace fensi::cli
