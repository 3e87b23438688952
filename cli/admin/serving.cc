#include "cli/admin/serving.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/split_list.h"
#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"
#include "cli/log/log.h"
#include "cli/program/who.h"

namespace fensi::cli {
namespace {

std::vector<std::string> OwnNames() {
  std::vector<std::string> names = SplitList(FLAGS_admin_host);
  if (std::string name = MachineName(); !name.empty()) names.push_back(std::move(name));
  return names;
}

/// Nobody can send blanks and control characters as a part of a token: some clients trim them, others refuse.
Result<std::string> ReadToken(const std::string& path) {
  Result<std::string> token = ReadSecretLine(path);
  if (!token.ok()) return Status(StatusCode::kConfiguration, token.status().message());
  const auto cannot_be_sent = [](unsigned char byte) { return byte <= 0x20 || byte == 0x7F; };
  if (std::none_of(token->begin(), token->end(), cannot_be_sent)) return token;
  return Status(StatusCode::kConfiguration, path +
                                                ": the token has blanks, before, in or behind it, or control "
                                                "characters, so that no client could send it; write one word");
}

/// Whoever reaches the server could change things, and on his way others could read the token.
Status CheckControl(const admin::Address& address) {
  if (!FLAGS_admin_control) return Status();
  if (address.kind == admin::Address::Kind::kNone) {
    return InvalidArgument("--admin_control belongs to an admin server, and none is wanted: --admin=127.0.0.1:0");
  }
  const bool near =
      address.kind == admin::Address::Kind::kUnix || address.host.starts_with("127.") || address.host == "::1";
  if (near || (!FLAGS_admin_token_file.empty() && !FLAGS_admin_tls_cert_file.empty())) return Status();
  return Status(StatusCode::kConfiguration,
                "--admin_control lets who reaches the admin server change things: on " + address.Text() +
                    " it needs a token (--admin_token_file) and TLS (--admin_tls_cert_file, --admin_tls_key_file), "
                    "since others could read a token that goes by plain HTTP; or let it listen on 127.0.0.1, [::1] or "
                    "unix:PATH");
}

}  // namespace

Result<admin::ServerOptions> AdminSettings(uint16_t default_port, bool on_by_default) {
  admin::ServerOptions options;
  if (!FLAGS_admin.empty()) {
    Result<admin::Address> address = admin::ParseAddress(FLAGS_admin);
    if (!address.ok()) return address.status().WithContext("--admin=" + FLAGS_admin);
    options.address = std::move(*address);
  } else if (on_by_default) {
    options.address = {admin::Address::Kind::kTcp, "127.0.0.1", default_port};
    options.last_port = kLastPort;
  }
  FENSI_RETURN_IF_ERROR(CheckControl(options.address));
  Result<std::optional<admin::Certificate>> certificate = AdminCertificate();
  FENSI_RETURN_IF_ERROR(certificate.status());
  options.certificate = std::move(*certificate);
  if (options.certificate) FENSI_RETURN_IF_ERROR(admin::Server::CheckCertificate(*options.certificate));
  options.answers.hosts = OwnNames();
  Result<std::string> token = AdminToken();
  FENSI_RETURN_IF_ERROR(token.status());
  options.answers.token = std::move(*token);
  return options;
}

Result<std::optional<admin::Certificate>> AdminCertificate() {
  const std::string &chain = FLAGS_admin_tls_cert_file, &key = FLAGS_admin_tls_key_file;
  if (chain.empty() != key.empty()) {
    return InvalidArgument("--admin_tls_cert_file and --admin_tls_key_file go together");
  }
  if (chain.empty()) return std::optional<admin::Certificate>();
  admin::Certificate certificate;
  FENSI_RETURN_IF_ERROR(ReadPem("--admin_tls_cert_file", chain, &certificate.chain));
  FENSI_RETURN_IF_ERROR(ReadPem("--admin_tls_key_file", key, &certificate.key, /*is_secret=*/true));
  return std::optional(std::move(certificate));
}

AdminCertificateWatch WatchAdminCertificate(const admin::ServerOptions& options, admin::Server* server) {
  const auto use = [server](const admin::Certificate& certificate) { return server->UseCertificate(certificate); };
  const auto tell = [](const Status& kept) {
    if (kept.ok()) {
      return Log("certificate_renewed",
                 "the certificate of the admin server, or its key, has changed: connections "
                 "that begin have the new one");
    }
    Log("certificate_kept", "the former certificate of the admin server is still in use: " + kept.words());
  };
  return {server == nullptr ? std::nullopt : options.certificate, {AdminCertificate, use, tell}, SystemClock()};
}

Result<std::string> DaemonAuthorities() {
  std::string authorities;
  if (FLAGS_daemon_ca_file.empty()) return authorities;
  FENSI_RETURN_IF_ERROR(ReadPem("--daemon_ca_file", FLAGS_daemon_ca_file, &authorities));
  return authorities;
}

Result<std::string> AdminToken() { return AdminTokenIn(FLAGS_admin_token_file); }

Result<std::string> AdminTokenIn(const std::string& path) {
  if (path.empty()) return std::string();
  Result<std::string> token = ReadToken(path);
  if (!token.ok()) return token.status().WithContext("--admin_token_file");
  return token;
}

Status CheckAdminAddress(const admin::ServerOptions& options) {
  const bool named = options.address.kind != admin::Address::Kind::kNone && options.last_port == 0;
  return named ? admin::Server::CheckAddress(options.address) : Status();
}

Result<std::unique_ptr<admin::Server>> ServeAdmin(const admin::ServerOptions& options,
                                                  const admin::StatusSource* source, admin::Control* control) {
  if (options.address.kind == admin::Address::Kind::kNone) return std::unique_ptr<admin::Server>();
  Result<std::unique_ptr<admin::Server>> server = admin::Server::Start(source, options, control);
  const bool asked = options.last_port == 0;
  if (!server.ok() && asked) return server.status();
  if (!server.ok()) {
    Log("admin_not_serving",
        "metrics and health are not served: " + server.status().words() + "; --admin names a place");
    return std::unique_ptr<admin::Server>();
  }
  const std::string place = (*server)->address().Text();
  const bool tcp = options.address.kind == admin::Address::Kind::kTcp;
  const std::string scheme = options.certificate ? "https://" : "http://";
  Log("admin_serving", "metrics, status and health: " + (tcp ? scheme + place + "/metrics" : place), {.server = place});
  return server;
}

}  // namespace fensi::cli
