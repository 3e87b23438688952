#include "daemon/admin/serving.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/tls.h"
#include "base/who.h"
#include "daemon/log/log.h"
#include "operations/access/flag_faults.h"
#include "operations/access/secret_file.h"

namespace fensi::daemon {
namespace {

std::vector<std::string> OwnNames(std::vector<std::string> names) {
  if (std::string name = MachineName(); !name.empty()) names.push_back(std::move(name));
  return names;
}

/// Any client of the server could change things, and others on its network could read the token.
Status CheckControl(const AdminOptions& options, const admin::Address& address) {
  if (!options.control) return Status();
  if (address.kind == admin::Address::Kind::kNone) {
    return operations::FlagRequires("--admin_control", "an admin server: --admin=127.0.0.1:0");
  }
  const bool near =
      address.kind == admin::Address::Kind::kUnix || address.host.starts_with("127.") || address.host == "::1";
  if (near || (!options.token_file.empty() && !options.tls_cert_file.empty())) return Status();
  return Status(
      StatusCode::kConfiguration,
      "--admin_control on " + address.Text() +
          " would let each client of this address pause and reload indexes. Give --admin_token_file, "
          "--admin_tls_cert_file and --admin_tls_key_file: without TLS, others could read the token. Or listen "
          "on this machine only, as with --admin=127.0.0.1:16180");
}

/// Absent without files. kInvalidArgument: one goes without the other; otherwise why one cannot be read.
Result<std::optional<admin::Certificate>> ReadCertificate(const AdminOptions& options) {
  const std::string &chain = options.tls_cert_file, &key = options.tls_key_file;
  if (chain.empty() != key.empty()) {
    return operations::FlagsTogether("--admin_tls_cert_file", "--admin_tls_key_file");
  }
  if (chain.empty()) return std::optional<admin::Certificate>();
  admin::Certificate certificate;
  FENSI_RETURN_IF_ERROR(operations::ReadPem("--admin_tls_cert_file", chain, &certificate.chain));
  FENSI_RETURN_IF_ERROR(operations::ReadPem("--admin_tls_key_file", key, &certificate.key, /*is_secret=*/true));
  return std::optional(std::move(certificate));
}

}  // namespace

Result<admin::ServerOptions> AdminSettings(const AdminOptions& wanted, uint16_t default_port, bool on_by_default) {
  admin::ServerOptions options;
  if (!wanted.address.empty()) {
    Result<admin::Address> address = admin::ParseAddress(wanted.address);
    if (!address.ok()) return address.status().WithContext("--admin=" + wanted.address);
    options.address = std::move(*address);
  } else if (on_by_default) {
    options.address = {admin::Address::Kind::kTcp, "127.0.0.1", default_port};
    options.last_port = operations::kLastPort;
  }
  FENSI_RETURN_IF_ERROR(CheckControl(wanted, options.address));
  FENSI_ASSIGN_OR_RETURN(std::optional<admin::Certificate> certificate, ReadCertificate(wanted));
  options.certificate = std::move(certificate);
  if (options.certificate) FENSI_RETURN_IF_ERROR(admin::Server::CheckCertificate(*options.certificate));
  options.answers.hosts = OwnNames(wanted.hosts);
  FENSI_ASSIGN_OR_RETURN(std::string token, operations::ReadAdminToken(wanted.token_file));
  options.answers.token = std::move(token);
  return options;
}

AdminCertificateWatch WatchAdminCertificate(const AdminOptions& files, const admin::ServerOptions& options,
                                            admin::Server* server) {
  const auto read = [files] { return ReadCertificate(files); };
  const auto use = [server](const admin::Certificate& certificate) { return server->UseCertificate(certificate); };
  const auto tell = [](const Status& kept, const admin::Certificate& in_use) {
    if (kept.ok()) {
      return Log("certificate_renewed", "the admin server uses its new certificate and key for new connections");
    }
    Log("certificate_reload_failed",
        "the admin server keeps its former certificate, because it cannot use the new files: " + kept.words() +
            FormerCertificateText(in_use.chain));
  };
  return {server == nullptr ? std::nullopt : options.certificate, {read, use, tell}, SystemClock()};
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
    Log("admin_not_serving", "this process serves no metrics and no health: " + server.status().words());
    return std::unique_ptr<admin::Server>();
  }
  const std::string place = (*server)->address().Text();
  const bool tcp = options.address.kind == admin::Address::Kind::kTcp;
  const std::string scheme = options.certificate ? "https://" : "http://";
  Log("admin_serving", "metrics, status and health: " + (tcp ? scheme + place + "/metrics" : place), {.server = place});
  return server;
}

}  // namespace fensi::daemon
