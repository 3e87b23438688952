// Starts the admin server of a daemon by a person's options.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admin/admin_server.h"
#include "base/status.h"
#include "operations/access/admin_place.h"
#include "operations/access/content_watch.h"

namespace fensi::daemon {

/// Empty: not used.
struct AdminOptions {
  std::string address;                      // HOST:PORT, unix:PATH or none; empty: the default
  std::vector<std::string> hosts;           // names that requests may use, besides those of the machine
  std::string token_file;                   // with the token that requests must have
  std::string tls_cert_file, tls_key_file;  // PEM
  bool control = false;                     // requests may change things
};

/// Checks --admin, --admin_host, --admin_token_file and --admin_control before anything is started.
Result<admin::ServerOptions> AdminSettings(const AdminOptions& options, uint16_t default_port, bool on_by_default);

/// Makes a TLS server use new content of these files. Tick it often; `server` outlives it, and is null if there is
/// none.
using AdminCertificateWatch = operations::ContentWatch<admin::Certificate>;
AdminCertificateWatch WatchAdminCertificate(const AdminOptions& files, const admin::ServerOptions& options,
                                            admin::Server* server);

/// Checks that the given address can be bound, before anything is created for a run that would fail.
Status CheckAdminAddress(const admin::ServerOptions& options);

/// Null if none is wanted, or if it is a default and there is no free port: the log reports that. kConfiguration: the
/// given address cannot be bound. `source` and `control` must outlive it; without `control` nothing can be changed.
Result<std::unique_ptr<admin::Server>> ServeAdmin(const admin::ServerOptions& options,
                                                  const admin::StatusSource* source, admin::Control* control = nullptr);

}  // namespace fensi::daemon
