// Files that hold a secret: read only when nobody can read or write them but their owner, who may let the group that we
// are in read them. Never shown.
//
// Blocks on the file system; any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::cli {

/// All of the file, which may be one of systemd's credentials, too. kPermission: we may not read it. kNotFound;
/// kConfiguration: others may read or write it, it is no regular file, or longer than any secret. Messages name the
/// path, never what stands there.
Result<std::string> ReadSecretFile(const std::string& path);

/// The file of a flag that holds certificates, or with `is_secret` a key: as ReadSecretFile, and others may read
/// certificates. kConfiguration also for an empty one. Never waits: it is read again while a daemon works.
Status ReadPem(const char* flag, const std::string& path, std::string* pem, bool is_secret = false);

/// As ReadSecretFile, without the last line's end. kConfiguration also for nothing, for more than 64 KiB, and for a
/// zero byte, at which librdkafka would stop.
Result<std::string> ReadSecretValue(const std::string& path);
/// The same of what systemd hands to a unit by this name, in $CREDENTIALS_DIRECTORY.
Result<std::string> ReadCredential(const std::string& name);

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
