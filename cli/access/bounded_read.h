// What files of every kind that the command line reads have in common: a bound, and the status of a fault.
//
// Blocks on the file system; any thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace fensi::cli {

/// What the system's error means for this path: kPermission or kNotFound.
Status FileFault(const std::string& path, int error);

/// All of the open file, or of a longer one `most` bytes and one more.
Result<std::string> ReadUpTo(const std::string& path, int file, size_t most);

}  // namespace fensi::cli
