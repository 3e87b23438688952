#include "cli/access/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "cli/access/bounded_read.h"

namespace fensi::cli {
namespace {

constexpr size_t kMostSecretBytes = 1 << 20;
constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;

/// Of the file that is open: it cannot be exchanged for another between this look and the reading.
Status CheckMode(const std::string& path, int file) {
  struct stat info {};
  if (fstat(file, &info) != 0) return FileFault(path, errno);
  if ((info.st_mode & kOfOthers) == 0) return Status();
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", info.st_mode & 07777u);
  return Status(StatusCode::kPermission,
                path + ": holds a secret, and others may use it (mode " + mode + "): chmod 600 " + path);
}

Status CheckSecret(const std::string& path, int file) {
  struct stat info {};
  if (fstat(file, &info) != 0) return FileFault(path, errno);
  if (!S_ISREG(info.st_mode)) return Status(StatusCode::kConfiguration, path + ": is no regular file");
  return CheckMode(path, file);
}

Result<std::string> ReadAllOf(const std::string& path, int file) {
  Result<std::string> text = ReadUpTo(path, file, kMostSecretBytes);
  if (!text.ok() || text->size() <= kMostSecretBytes) return text;
  return Status(StatusCode::kConfiguration, path + ": has more than " + std::to_string(kMostSecretBytes) + " bytes");
}

}  // namespace

Result<std::string> ReadSecretFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);  // a pipe would wait for a writer
  if (file < 0) return FileFault(path, errno);
  const Status checked = CheckSecret(path, file);
  Result<std::string> text = checked.ok() ? ReadAllOf(path, file) : Result<std::string>(checked);
  close(file);
  return text;
}

Result<SettingsFile> ReadSettingsFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return FileFault(path, errno);
  Result<std::string> text = ReadAllOf(path, file);
  Status secrecy = CheckMode(path, file);
  close(file);
  if (!text.ok()) return text.status();
  return SettingsFile{std::move(*text), std::move(secrecy)};
}

Result<std::string> ReadSecretLine(const std::string& path) {
  Result<std::string> text = ReadSecretFile(path);
  if (!text.ok()) return text;
  if (text->ends_with('\n')) text->pop_back();
  if (text->ends_with('\r')) text->pop_back();
  if (!text->empty() && text->find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos) return text;
  return Status(StatusCode::kConfiguration, path + ": is not one line");
}

}  // namespace fensi::cli
