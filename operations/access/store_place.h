// Watches the folder of an embedded store while this process uses it: if the folder is removed or replaced, the data is
// gone, and RocksDB continues in files that cannot be found any more. One thread; uses the file system only.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::operations {

class StorePlace {
 public:
  /// `url` is embedded:DIR of a store that is open.
  explicit StorePlace(const std::string& url);
  ~StorePlace();
  StorePlace(const StorePlace&) = delete;
  StorePlace& operator=(const StorePlace&) = delete;

  /// kConfiguration if the folder is not the one that was opened.
  Status Check() const;

 private:
  const std::string directory_;
  const std::string lock_file_;  // RocksDB has it open as long as we do
  const int fd_;                 // keeps its inode from being reused
};

}  // namespace fensi::operations
