#include "operations/access/bounded_read.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fensi::operations {

Status FileFault(const std::string& path, int error) {
  const StatusCode code = error == EACCES || error == EPERM ? StatusCode::kPermission : StatusCode::kNotFound;
  return Status(code, path + ": " + std::strerror(error));
}

Result<std::string> ReadUpTo(const std::string& path, int file, size_t most) {
  std::string text;
  char block[65536];
  while (text.size() <= most) {
    const ssize_t bytes = read(file, block, std::min(sizeof block, most + 1 - text.size()));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return FileFault(path, errno);
    if (bytes == 0) break;
    text.append(block, static_cast<size_t>(bytes));
  }
  return text;
}

}  // namespace fensi::operations
