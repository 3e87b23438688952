#include "operations/access/store_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fensi::operations {

StorePlace::StorePlace(const std::string& url)
    : directory_(url.substr(url.find(':') + 1)),
      lock_file_(directory_ + "/LOCK"),
      fd_(open(lock_file_.c_str(), O_PATH | O_CLOEXEC)) {}

StorePlace::~StorePlace() {
  if (fd_ >= 0) close(fd_);
}

Status StorePlace::Check() const {
  struct stat opened {};
  struct stat found {};
  const bool same = fstat(fd_, &opened) == 0 && stat(lock_file_.c_str(), &found) == 0 &&
                    opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
  if (same) return Status();
  return Status(StatusCode::kConfiguration, "the folder of the store, " + directory_ +
                                                ", was removed or replaced while it was in use. If the folder was "
                                                "only moved or unmounted, put it back. Otherwise its entries are "
                                                "lost, unless a copy has them. Let only one process use the folder. "
                                                "Then restore a copy, or begin with an empty folder, as in 'fensi "
                                                "help recovery'");
}

}  // namespace fensi::operations
