#include "cli/access/store_security.h"

#include <string>

#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

Result<std::string> ReadOpenFile(const std::string& path) {
  Result<SettingsFile> file = ReadSettingsFile(path);
  return file.ok() ? Result<std::string>(std::move(file->text)) : file.status();
}

Status ReadPem(const char* flag, const std::string& path, Result<std::string> text, std::string* pem) {
  if (!text.ok()) return text.status().WithContext(flag);
  if (text->empty()) return Status(StatusCode::kConfiguration, std::string(flag) + ": " + path + ": is empty");
  *pem = std::move(*text);
  return Status();
}

Result<store::GatewayPems> ReadPems() {
  store::GatewayPems pems;
  const std::string &ca = FLAGS_store_tls_ca_file, &cert = FLAGS_store_tls_cert_file, &key = FLAGS_store_tls_key_file;
  if (!ca.empty()) {
    FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_ca_file", ca, ReadOpenFile(ca), &pems.authorities));
  }
  if (cert.empty()) return pems;
  FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_cert_file", cert, ReadOpenFile(cert), &pems.certificates));
  FENSI_RETURN_IF_ERROR(ReadPem("--store_tls_key_file", key, ReadSecretFile(key), &pems.key));
  return pems;
}

store::Qop QopOfFlag() {
  if (FLAGS_store_qop == "auth") return store::Qop::kAuth;
  return FLAGS_store_qop == "auth-int" ? store::Qop::kAuthInt : store::Qop::kAuthConf;
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
  security.qop = QopOfFlag();
  if (!FLAGS_store_tls_ca_file.empty() || !FLAGS_store_tls_cert_file.empty()) security.pems = ReadPems;
  return security;
}

}  // namespace fensi::cli
