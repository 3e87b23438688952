// Reads files with secrets, if only their owner can read or write them; the owner may let our group read them. Never
// shows their content.
//
// Blocks on the file system; any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::operations {

/// Reads the whole file, which may be a systemd credential. kPermission: we may not read it. kNotFound; kConfiguration:
/// others may read or write it, it is not a regular file, or longer than any secret. Messages name the path, never the
/// content.
Result<std::string> ReadSecretFile(const std::string& path);

/// Reads the file of a flag with certificates, or with `is_secret` a key: as ReadSecretFile, and others may read
/// certificates. kConfiguration also for an empty file. Never waits, because a daemon reads it again.
Status ReadPem(const char* flag, const std::string& path, std::string* pem, bool is_secret = false);

/// As ReadSecretFile, without the last line's end. kConfiguration also for an empty value, for more than 64 KiB, and
/// for a zero byte, at which librdkafka would stop.
Result<std::string> ReadSecretValue(const std::string& path);
/// The same for systemd's credential of this name, in $CREDENTIALS_DIRECTORY.
Result<std::string> ReadCredential(const std::string& name);

/// A file of settings, which may hold a secret or none.
struct SettingsFile {
  std::string text;
  Status secrecy;  // error of ReadSecretFile about its mode
};

/// Reads also a pipe, and waits for its writer: the output of a program never touches a disk.
Result<SettingsFile> ReadSettingsFile(const std::string& path);

/// The only line of such a file, without its end; kConfiguration for none or several.
Result<std::string> ReadSecretLine(const std::string& path);

}  // namespace fensi::operations
