#include "operations/mappings/mapping_paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace fensi::operations {
namespace {

namespace fs = std::filesystem;

bool IsMappingFile(const fs::directory_entry& entry) {
  const fs::path& path = entry.path();
  const bool named_so = path.extension() == ".yaml" || path.extension() == ".yml";
  std::error_code ignored;
  return named_so && !path.filename().string().starts_with('.') && !entry.is_directory(ignored);
}

Result<std::vector<std::string>> FilesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    if (!IsMappingFile(*at)) continue;
    files.push_back(at->path().string());
    std::error_code ignored;
    if (!at->exists(ignored) || at->is_regular_file(ignored)) continue;
    return Status(StatusCode::kInvalidArgument, files.back() + ": is not a regular file. Remove it from the folder");
  }
  if (fault)
    return Status(StatusCode::kPermission, folder + ": the folder cannot be listed: " + fault.message() +
                                               ". Let the user of this process read the folder");
  if (files.empty())
    return Status(StatusCode::kInvalidArgument, folder +
                                                    ": the folder has no mapping file (*.yaml, *.yml). Put a mapping "
                                                    "file into the folder, or name another folder");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<std::string>> MappingPaths(const std::vector<std::string>& named) {
  std::vector<std::string> paths;
  for (const std::string& path : named) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      paths.push_back(path);
      continue;
    }
    FENSI_ASSIGN_OR_RETURN(std::vector<std::string> files, FilesIn(path));
    std::move(files.begin(), files.end(), std::back_inserter(paths));
  }
  return paths;
}

}  // namespace fensi::operations
