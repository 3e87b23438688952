// The folder of an embedded store for as long as this process works in it: whoever removes or replaces it takes away
// what was written, and RocksDB goes on in files that nobody can find any more. One thread; asks the file system only.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::cli {

class StorePlace {
 public:
  /// `url` is embedded:DIR of a store that is open.
  explicit StorePlace(const std::string& url);
  ~StorePlace();
  StorePlace(const StorePlace&) = delete;
  StorePlace& operator=(const StorePlace&) = delete;

  /// kConfiguration once the folder is not the one that was opened.
  Status Check() const;

 private:
  const std::string directory_;
  const std::string lock_file_;  // RocksDB has it open as long as we do
  const int fd_;                 // keeps its inode from being given to another file
};

}  // namespace fensi::cli
