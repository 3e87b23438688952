// Resolves the files of --source=file:…. Blocks on the file system; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::operations {

/// "a.jsonl,days/*.jsonl.gz": names separated by commas (\, is a comma of a name) in their order, and the files that
/// match a shell pattern in theirs; a file that is named again is there once. "-" must be alone. kNotFound: no file
/// matches a pattern.
Result<std::vector<std::string>> FilesNamed(const std::string& names);

}  // namespace fensi::operations
