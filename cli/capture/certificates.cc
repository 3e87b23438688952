#include "cli/capture/certificates.h"

#include <filesystem>

#include "base/split_list.h"
#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

using capture::NoticeKind;
using capture::TlsPems;

}  // namespace

Result<std::optional<TlsPems>> ReadCertificates() {
  if (FLAGS_tls_cert_file.empty() != FLAGS_tls_key_file.empty()) {
    return InvalidArgument("--tls_cert_file and --tls_key_file go together");
  }
  if (FLAGS_tls_cert_file.empty()) {
    if (!FLAGS_tls_ca_file.empty()) return InvalidArgument("--tls_ca_file needs --tls_cert_file and --tls_key_file");
    return std::optional<TlsPems>();
  }
  TlsPems pems;
  const std::string &cert = FLAGS_tls_cert_file, &key = FLAGS_tls_key_file, &authorities = FLAGS_tls_ca_file;
  FENSI_RETURN_IF_ERROR(ReadPem("--tls_cert_file", cert, &pems.certificates));
  FENSI_RETURN_IF_ERROR(ReadPem("--tls_key_file", key, &pems.key, /*is_secret=*/true));
  if (!authorities.empty()) FENSI_RETURN_IF_ERROR(ReadPem("--tls_ca_file", authorities, &pems.client_authorities));
  return std::optional(std::move(pems));
}

Result<std::optional<capture::KerberosOptions>> ReadKerberos() {
  const std::string &keytab = FLAGS_rpc_keytab, &principal = FLAGS_rpc_principal;
  if (keytab.empty() != principal.empty()) {
    return InvalidArgument("--rpc_keytab and --rpc_principal go together");
  }
  if (keytab.empty()) {
    if (FlagIsGiven("rpc_qop")) return InvalidArgument("--rpc_qop needs --rpc_keytab and --rpc_principal");
    if (!FLAGS_allow_principal.empty()) {
      return InvalidArgument("--allow_principal needs --rpc_keytab and --rpc_principal");
    }
    return std::optional<capture::KerberosOptions>();
  }
  const Status readable = ReadSecretFile(keytab).status();
  if (!readable.ok()) return readable.WithContext("--rpc_keytab");
  capture::KerberosOptions options{.keytab = std::filesystem::absolute(keytab).string(), .principal = principal};
  options.allowed = SplitList(FLAGS_allow_principal);
  if (options.allowed.empty()) options.allowed = {"hbase/*" + principal.substr(principal.find('@'))};
  options.least = *QopNamed(FLAGS_rpc_qop);  // the flag's rule has seen it
  FENSI_RETURN_IF_ERROR(capture::KerberosAcceptor::Create(options).status());
  return std::optional(std::move(options));
}

std::function<void(const Status&)> TellOfCertificates(capture::Notices notices) {
  return [notices = std::move(notices)](const Status& kept) {
    if (!kept.ok()) {
      return notices({NoticeKind::kCertificateKept, "the former certificate is still in use: " + kept.words()});
    }
    notices({NoticeKind::kCertificateRenewed,
             Words("the certificate, its key or its authorities have changed: connections that begin have the new "
                   "ones")});
  };
}

}  // namespace fensi::cli
