// Reads files up to a bound, and turns errors into a status: shared by all readers of files.
//
// Blocks on the file system; any thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace fensi::operations {

/// The status of the system's error for this path: kPermission or kNotFound.
Status FileFault(const std::string& path, int error);

/// Reads all of the open file, or `most` bytes and one more of a longer one.
Result<std::string> ReadUpTo(const std::string& path, int file, size_t most);

}  // namespace fensi::operations
