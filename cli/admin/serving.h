// The admin server of a daemon, as its flags want it.
#pragma once

#include <memory>
#include <string>

#include "admin/admin_server.h"
#include "base/status.h"

namespace fensi::cli {

inline constexpr uint16_t kRunPort = 16180;
inline constexpr uint16_t kCapturePort = 16181;
/// A daemon whose default port is taken has the next free one up to here.
inline constexpr uint16_t kLastPort = 16199;

/// What is wrong with --admin, --admin_host, --admin_token_file and --admin_control, before anything is started.
Result<admin::ServerOptions> AdminSettings(uint16_t default_port, bool on_by_default);

/// What --admin_token_file holds, or empty without one.
Result<std::string> AdminToken();
/// What such a file holds; empty for the path "".
Result<std::string> AdminTokenIn(const std::string& path);

/// Null when none is wanted, or nobody asked for one and there is no free port: that is said in the log.
/// kConfiguration: the address that was named cannot be had. `source` and `control` must outlive it; without `control`
/// nothing can be changed.
Result<std::unique_ptr<admin::Server>> ServeAdmin(const admin::ServerOptions& options,
                                                  const admin::StatusSource* source, admin::Control* control = nullptr);

}  // namespace fensi::cli
