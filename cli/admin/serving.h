// The admin server of a daemon, as its flags want it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "admin/admin_server.h"
#include "base/status.h"
#include "cli/access/content_watch.h"

namespace fensi::cli {

inline constexpr uint16_t kRunPort = 16180;
inline constexpr uint16_t kCapturePort = 16181;
/// A daemon whose default port is taken has the next free one up to here.
inline constexpr uint16_t kLastPort = 16199;

/// What is wrong with --admin, --admin_host, --admin_token_file and --admin_control, before anything is started.
Result<admin::ServerOptions> AdminSettings(uint16_t default_port, bool on_by_default);

/// What --admin_tls_cert_file and --admin_tls_key_file hold; absent without them. kInvalidArgument: one goes without
/// the other; otherwise why a file cannot be read.
Result<std::optional<admin::Certificate>> AdminCertificate();

/// Has a server that speaks TLS use what these files come to hold. Tick it often; `server` outlives it, and is null
/// where none is wanted.
using AdminCertificateWatch = ContentWatch<admin::Certificate>;
AdminCertificateWatch WatchAdminCertificate(const admin::ServerOptions& options, admin::Server* server);

/// For who asks daemons: what --daemon_ca_file holds, or empty without one.
Result<std::string> DaemonAuthorities();

/// What --admin_token_file holds, or empty without one.
Result<std::string> AdminToken();
/// What such a file holds; empty for the path "".
Result<std::string> AdminTokenIn(const std::string& path);

/// Whether the address that was named can be had, before anything is made for a run that would end for it.
Status CheckAdminAddress(const admin::ServerOptions& options);

/// Null when none is wanted, or nobody asked for one and there is no free port: that is said in the log.
/// kConfiguration: the address that was named cannot be had. `source` and `control` must outlive it; without `control`
/// nothing can be changed.
Result<std::unique_ptr<admin::Server>> ServeAdmin(const admin::ServerOptions& options,
                                                  const admin::StatusSource* source, admin::Control* control = nullptr);

}  // namespace fensi::cli
