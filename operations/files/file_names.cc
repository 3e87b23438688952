#include "operations/files/file_names.h"

#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/bytes.h"
#include "base/text.h"

namespace fensi::operations {
namespace {

/// Is there a file of exactly this name? It is no pattern then, and no list.
bool Exists(const std::string& name) { return faccessat(AT_FDCWD, name.c_str(), F_OK, 0) == 0; }

/// A folder that is not there has no files; what else is wrong with one ends the search.
int EndsSearch(const char* /*folder*/, int error) { return error == ENOENT || error == ENOTDIR ? 0 : 1; }

Result<std::vector<std::string>> FilesThatFit(const std::string& pattern) {
  glob_t found{};
  const int outcome = glob(pattern.c_str(), 0, &EndsSearch, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (outcome == 0) return files;
  const std::string shown = "'" + Escape(pattern) + "'";
  if (outcome == GLOB_NOMATCH)
    return Status(StatusCode::kNotFound, "no file fits " + shown + ". Check the pattern in --source");
  const bool unreadable = outcome == GLOB_ABORTED;
  return Status(unreadable ? StatusCode::kPermission : StatusCode::kInternal,
                "cannot look for files that fit " + shown +
                    (unreadable ? ": a folder cannot be read. Let the user of this process read the folders of the "
                                  "pattern"
                                : ": the process has no memory left. Name fewer files"));
}

}  // namespace

Result<std::vector<std::string>> FilesNamed(const std::string& names) {
  if (names == "-" || Exists(names)) return std::vector<std::string>{names};
  const std::vector<std::string> parts = SplitList(names);
  if (parts.empty()) return InvalidArgument("--source=file: names no file; write --source=file:PATH");
  std::vector<std::string> files;
  for (const std::string& part : parts) {
    if (part == "-" && parts.size() > 1)
      return InvalidArgument(
          "standard input ('-') and files cannot be read together. Name either '-' or files in --source");
    const bool pattern = part.find_first_of("*?[") != std::string::npos && !Exists(part);
    FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> fitting,
                           pattern ? FilesThatFit(part) : std::vector<std::string>{part});
    for (const std::string& file : fitting) {
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  return files;
}

}  // namespace fensi::operations
