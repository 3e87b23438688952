#include "cli/capture/certificates.h"

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
