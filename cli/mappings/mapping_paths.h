// What people name where mapping files are wanted: files, and folders of them. Blocks on the file system; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::cli {

/// Each folder as the files *.yaml and *.yml that stand in it, by name, without those of folders in it and without
/// hidden ones; files as they are, also those that are not there. kInvalidArgument: a folder has none.
Result<std::vector<std::string>> MappingPaths(const std::vector<std::string>& named);

}  // namespace fensi::cli
