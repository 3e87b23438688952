// The addresses and the token of admin servers, for daemons and for commands that query them.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi::operations {

inline constexpr uint16_t kRunPort = 16180;
inline constexpr uint16_t kCapturePort = 16181;
/// A daemon whose default port is taken uses the next free port up to here.
inline constexpr uint16_t kLastPort = 16199;

/// The content of the file of --admin_token_file; empty for the path "". Blocks on the file system.
Result<std::string> ReadAdminToken(const std::string& path);

}  // namespace fensi::operations
