#include "cli/capture/certificates.h"

#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

using capture::NoticeKind;
using capture::TlsPems;

constexpr std::chrono::milliseconds kLookPause{10'000};
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

CertificateWatch::CertificateWatch(std::optional<TlsPems> now, Read read, Use use, capture::Notices notices,
                                   Clock* clock)
    : read_(std::move(read)),
      use_(std::move(use)),
      notices_(std::move(notices)),
      clock_(clock),
      now_(std::move(now)),
      next_(clock->SinceBoot() + kLookPause) {}

void CertificateWatch::Tick() {
  if (!now_.has_value() || clock_->SinceBoot() < next_) return;
  next_ = clock_->SinceBoot() + kLookPause;
  const Status status = Look();
  if (status.message() == told_) return;
  told_ = status.message();
  if (status.ok()) return;
  notices_({NoticeKind::kCertificateKept, "the former certificate is still in use: " + status.words()});
}

Status CertificateWatch::Look() {
  const Result<std::optional<TlsPems>> found = read_();
  if (!found.ok()) return found.status();
  if (*found == now_) return Status();
  FENSI_RETURN_IF_ERROR(use_(**found));
  now_ = *found;
  notices_({NoticeKind::kCertificateRenewed,
            Words("the certificate, its key or its authorities have changed: connections that begin have the new "
                  "ones")});
  return Status();
}

}  // namespace fensi::cli
