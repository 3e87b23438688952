// The admin server of a daemon, as its flags want it.
#pragma once

#include <memory>

#include "admin/admin_server.h"
#include "base/status.h"

namespace fensi::cli {

inline constexpr uint16_t kRunPort = 16180;
inline constexpr uint16_t kCapturePort = 16181;

/// What is wrong with --admin, --admin_host and --admin_token_file, before anything is started.
Result<admin::ServerOptions> AdminSettings(uint16_t default_port, bool on_by_default);

/// Null when none is wanted, or nobody asked for one and there is no free port: that is said in the log.
/// kConfiguration: the address that was named cannot be had. `source` must outlive it.
Result<std::unique_ptr<admin::Server>> ServeAdmin(const admin::ServerOptions& options,
                                                  const admin::StatusSource* source);

}  // namespace fensi::cli
