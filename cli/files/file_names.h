// The files that --source=file:… names. Blocks on the file system; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::cli {

/// "a.jsonl,days/*.jsonl.gz": names with commas between (\, is a comma of a name) in their order, and the files that
/// fit a pattern of the shell in theirs; a file that is named again is there once. "-" is alone. kNotFound: nothing
/// fits a pattern.
Result<std::vector<std::string>> FilesNamed(const std::string& names);

}  // namespace fensi::cli
