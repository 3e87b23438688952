// Files that hold a secret: read only when nobody else can read or write them, and never shown.
//
// Blocks on the file system; any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::cli {

/// All of the file. kPermission: others may read or write it, or we may not. kNotFound; kConfiguration: it is no
/// regular file, or longer than any secret. Messages name the path, never what stands there.
Result<std::string> ReadSecretFile(const std::string& path);

/// A file of settings, which may hold a secret or none.
struct SettingsFile {
  std::string text;
  Status secrecy;  // what ReadSecretFile would say of its mode
};

/// Of a pipe too, whose writer is waited for: what a program says never touches a disk.
Result<SettingsFile> ReadSettingsFile(const std::string& path);

/// The only line of such a file, without its end; kConfiguration for none or several.
Result<std::string> ReadSecretLine(const std::string& path);

}  // namespace fensi::cli
