// Resolves mapping files and folders of them. Blocks on the file system; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::operations {

/// Replaces each folder by its files *.yaml and *.yml, sorted by name, without sub-folders and hidden files; keeps
/// files, also missing ones. kInvalidArgument: a folder has no such file.
Result<std::vector<std::string>> MappingPaths(const std::vector<std::string>& named);

}  // namespace fensi::operations
