#include "daemon/capture/certificates.h"

#include <filesystem>

#include "base/tls.h"
#include "operations/access/flag_faults.h"
#include "operations/access/secret_file.h"

namespace fensi::daemon {
namespace {

using capture::NoticeKind;
using capture::TlsPems;

}  // namespace

Result<std::optional<TlsPems>> ReadCertificates(const CertificateFiles& files) {
  if (files.cert.empty() != files.key.empty()) {
    return operations::FlagsTogether("--tls_cert_file", "--tls_key_file");
  }
  if (files.cert.empty()) {
    if (!files.ca.empty()) return operations::FlagRequires("--tls_ca_file", "--tls_cert_file and --tls_key_file");
    return std::optional<TlsPems>();
  }
  TlsPems pems;
  const std::string &cert = files.cert, &key = files.key, &authorities = files.ca;
  FENSI_RETURN_IF_ERROR(operations::ReadPem("--tls_cert_file", cert, &pems.certificates));
  FENSI_RETURN_IF_ERROR(operations::ReadPem("--tls_key_file", key, &pems.key, /*is_secret=*/true));
  if (!authorities.empty())
    FENSI_RETURN_IF_ERROR(operations::ReadPem("--tls_ca_file", authorities, &pems.client_authorities));
  return std::optional(std::move(pems));
}

Result<std::optional<capture::KerberosOptions>> ReadKerberos(const RpcKerberosOptions& from) {
  const std::string &keytab = from.keytab, &principal = from.principal;
  if (keytab.empty() != principal.empty()) {
    return operations::FlagsTogether("--rpc_keytab", "--rpc_principal");
  }
  if (keytab.empty()) {
    if (from.qop_given) return operations::FlagRequires("--rpc_qop", "--rpc_keytab and --rpc_principal");
    if (!from.allowed.empty()) {
      return operations::FlagRequires("--allow_principal", "--rpc_keytab and --rpc_principal");
    }
    return std::optional<capture::KerberosOptions>();
  }
  const Status readable = operations::ReadSecretFile(keytab).status();
  if (!readable.ok()) return readable.WithContext("--rpc_keytab");
  capture::KerberosOptions options{.keytab = std::filesystem::absolute(keytab).string(), .principal = principal};
  options.allowed = from.allowed;
  if (options.allowed.empty()) options.allowed = {"hbase/*" + principal.substr(principal.find('@'))};
  options.least = from.qop;
  FENSI_RETURN_IF_ERROR(capture::KerberosAcceptor::Create(options).status());
  return std::optional(std::move(options));
}

std::function<void(const Status&, const TlsPems&)> TellOfCertificates(capture::Notices notices) {
  return [notices = std::move(notices)](const Status& kept, const TlsPems& in_use) {
    if (!kept.ok()) {
      return notices({NoticeKind::kCertificateReloadFailed,
                      "the capture keeps its former certificate, because it cannot use the new files: " + kept.words() +
                          FormerCertificateText(in_use.certificates)});
    }
    notices({NoticeKind::kCertificateRenewed,
             RedactableText("the capture uses its new certificate, key and authorities for new connections")});
  };
}

}  // namespace fensi::daemon
