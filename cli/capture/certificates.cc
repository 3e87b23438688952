#include "cli/capture/certificates.h"

#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

using capture::NoticeKind;
using capture::TlsPems;

constexpr size_t kMostPemBytes = 1 << 20;

Status ReadPem(const char* flag, const std::string& path, Result<std::string> text, std::string* pem) {
  if (!text.ok()) return text.status().WithContext(flag);
  if (text->empty()) return Status(StatusCode::kConfiguration, std::string(flag) + ": " + path + ": is empty");
  *pem = std::move(*text);
  return Status();
}

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
  FENSI_RETURN_IF_ERROR(ReadPem("--tls_cert_file", cert, ReadRegularFile(cert, kMostPemBytes), &pems.certificates));
  FENSI_RETURN_IF_ERROR(ReadPem("--tls_key_file", key, ReadSecretFile(key), &pems.key));
  if (authorities.empty()) return std::optional(std::move(pems));
  FENSI_RETURN_IF_ERROR(
      ReadPem("--tls_ca_file", authorities, ReadRegularFile(authorities, kMostPemBytes), &pems.client_authorities));
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
