#include "operations/access/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "operations/access/bounded_read.h"

namespace fensi::operations {
namespace {

constexpr size_t kMostSecretBytes = 1 << 20;
constexpr size_t kMostValueBytes = 1 << 16;

bool IsOurGroup(gid_t group) {
  if (group == getegid()) return true;
  std::vector<gid_t> groups(static_cast<size_t>(std::max(getgroups(0, nullptr), 0)));
  const int count = std::max(getgroups(static_cast<int>(groups.size()), groups.data()), 0);
  return std::find(groups.begin(), groups.begin() + count, group) != groups.begin() + count;
}

/// Another user lets us read it as one of its group ("root:fensi 0640"), or systemd by an access list, whose mask
/// stands where the group's rights do.
bool IsLentToUs(const struct stat& info, bool is_credential) {
  return info.st_uid != geteuid() && (is_credential || IsOurGroup(info.st_gid));
}

/// Checks the open file, so that it cannot be replaced between the check and the read.
Status CheckMode(const std::string& path, int file, bool is_credential = false) {
  struct stat info {};
  if (fstat(file, &info) != 0) return FileFault(path, errno);
  mode_t of_others = S_IRWXG | S_IRWXO;
  if (IsLentToUs(info, is_credential)) of_others &= ~static_cast<mode_t>(S_IRGRP);
  if ((info.st_mode & of_others) == 0) return Status();
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", info.st_mode & 07777u);
  return Status(StatusCode::kConfiguration,
                path + ": holds a secret, and other users may read or change it (mode " + mode + "). Run 'chmod 600 " +
                    path + "'. If another user owns the file, give it mode 640 and a group that the process is in");
}

Status CheckRegular(const std::string& path, int file) {
  struct stat info {};
  if (fstat(file, &info) != 0) return FileFault(path, errno);
  if (S_ISREG(info.st_mode)) return Status();
  return Status(StatusCode::kConfiguration, path + ": is not a regular file. Name a regular file");
}

Result<std::string> ReadAllOf(const std::string& path, int file, size_t most = kMostSecretBytes) {
  Result<std::string> text = ReadUpTo(path, file, most);
  if (!text.ok() || text->size() <= most) return text;
  return Status(StatusCode::kConfiguration,
                path + ": the file has more than " + std::to_string(most) +
                    " bytes, too many for a secret, a certificate or settings. Name the right file");
}

/// A file that cannot be opened, with the remedy.
Status OpenFault(const std::string& path, int error) {
  const Status fault = FileFault(path, error);
  if (fault.code() == StatusCode::kPermission) {
    return Status(fault.code(), fault.message() + ". Let the user of this process read the file");
  }
  const bool is_absent = error == ENOENT || error == ENOTDIR;
  return Status(fault.code(), fault.message() + (is_absent ? ". Correct the path" : ""));
}

enum class Secrecy { kNone, kSecret, kCredential };

Result<std::string> ReadRegular(const std::string& path, size_t most, Secrecy secrecy) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);  // a pipe would wait for a writer
  if (file < 0) return OpenFault(path, errno);
  Status checked = CheckRegular(path, file);
  if (checked.ok() && secrecy != Secrecy::kNone) checked = CheckMode(path, file, secrecy == Secrecy::kCredential);
  Result<std::string> text = checked.ok() ? ReadAllOf(path, file, most) : Result<std::string>(checked);
  close(file);
  return text;
}

Result<std::string> WithoutLastNewline(const std::string& path, Result<std::string> text) {
  if (!text.ok()) return text;
  if (text->ends_with('\n')) text->pop_back();
  const std::string fault = text->empty() ? "is empty" : "has a zero byte";
  if (!text->empty() && text->find('\0') == std::string::npos) return text;
  return Status(StatusCode::kConfiguration,
                path + ": the file " + fault + ". Write the secret into the file, as one line");
}

/// A file that systemd has put where a unit's credentials are ("%d/NAME" in the unit).
bool IsCredential(const std::string& path) {
  const char* folder = std::getenv("CREDENTIALS_DIRECTORY");
  return folder != nullptr && *folder == '/' && path.starts_with(folder + std::string("/")) &&
         path.find("/../") == std::string::npos;
}

}  // namespace

Result<std::string> ReadSecretFile(const std::string& path) {
  return ReadRegular(path, kMostSecretBytes, IsCredential(path) ? Secrecy::kCredential : Secrecy::kSecret);
}

Status ReadPem(const char* flag, const std::string& path, std::string* pem, bool is_secret) {
  Result<std::string> text = is_secret ? ReadSecretFile(path) : ReadRegular(path, kMostSecretBytes, Secrecy::kNone);
  if (!text.ok()) return text.status().WithContext(flag);
  if (text->empty())
    return Status(
        StatusCode::kConfiguration,
        std::string(flag) + ": " + path + ": the file is empty. Write the certificate or key into the file, as PEM");
  *pem = std::move(*text);
  return Status();
}

Result<std::string> ReadSecretValue(const std::string& path) {
  return WithoutLastNewline(path, ReadRegular(path, kMostValueBytes, Secrecy::kSecret));
}

Result<std::string> ReadCredential(const std::string& name) {
  const char* folder = std::getenv("CREDENTIALS_DIRECTORY");
  if (folder == nullptr || *folder == '\0') {
    return Status(StatusCode::kConfiguration,
                  "credential " + name +
                      ": the environment variable CREDENTIALS_DIRECTORY is not set. Run fensi as a unit "
                      "of systemd with LoadCredential=" +
                      name + ":/PATH");
  }
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    return Status(StatusCode::kConfiguration,
                  "credential '" + name +
                      "' is no name of a credential. Write a name without '/', as in LoadCredential=NAME:/PATH");
  }
  const std::string path = folder + ("/" + name);
  return WithoutLastNewline(path, ReadRegular(path, kMostValueBytes, Secrecy::kCredential));
}

Result<SettingsFile> ReadSettingsFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return OpenFault(path, errno);
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
  const char* const fault = text->empty()                           ? "is empty"
                            : text->find('\0') != std::string::npos ? "has a zero byte"
                                                                    : "has several lines";
  return Status(StatusCode::kConfiguration,
                path + ": the file " + fault + ". Write the secret into the file, as one line");
}

}  // namespace fensi::operations
