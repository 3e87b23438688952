// Mapping files from disk to checked indexes. Blocks on the file system; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/words.h"
#include "mapping/mapping.h"

namespace fensi::cli {

/// Reads the whole file, or of a longer one `most` bytes and one more. kNotFound, kPermission or kInvalidArgument (a
/// directory), naming the path.
Result<std::string> ReadFile(const std::string& path, size_t most);

/// As ReadFile; kInvalidArgument also for what is no regular file or longer: whose path stands in a file of somebody
/// else may be a pipe or a device that never ends.
Result<std::string> ReadRegularFile(const std::string& path, size_t most);

/// Reads and loads all files together and writes every diagnostic to stderr, or with `json` as an object a line to
/// stdout. Errors in a file: kConfiguration with
/// their number; a file that cannot be read: its status; both: the former. Warnings alone are no error.
Result<std::vector<mapping::Mapping>> LoadMappings(const std::vector<std::string>& paths, bool json = false);

/// The same of regular files alone, for who cannot be told on stderr, nor wait for a pipe: all that is wrong is in
/// `faults`, and then nothing is loaded. Warnings are left out.
std::vector<mapping::Mapping> LoadQuietly(const std::vector<std::string>& paths, std::vector<Words>* faults);

/// The file of an index.
std::string PathOf(const std::vector<mapping::Mapping>& mappings, const mapping::Index& index);

using Indexes = std::vector<std::shared_ptr<const mapping::Index>>;

/// The indexes of all mappings, or those named by --index in the files' order; kInvalidArgument with a suggestion for
/// each name that no file has.
Result<Indexes> ChosenIndexes(const std::vector<mapping::Mapping>& mappings, const std::vector<std::string>& names);

/// The index of that name; kInvalidArgument with a suggestion.
Result<std::shared_ptr<const mapping::Index>> OneIndex(const std::vector<mapping::Mapping>& mappings,
                                                       const std::string& name);

/// The index of that name in that file, as LoadMappings loads it; kInvalidArgument with a suggestion.
Result<std::shared_ptr<const mapping::Index>> LoadIndex(const std::string& path, const std::string& name);

}  // namespace fensi::cli
