// Loads mapping files from disk as checked indexes. Blocks on the file system; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/redactable_text.h"
#include "base/status.h"
#include "mapping/mapping.h"

namespace fensi::operations {

/// Reads the whole file, or `most` bytes and one more of a longer one. kNotFound, kPermission or kInvalidArgument (a
/// directory), naming the path.
Result<std::string> ReadFile(const std::string& path, size_t most);

/// As ReadFile; kInvalidArgument also for a longer file and for one that is not regular: a path in a foreign file may
/// be a pipe or a device that never ends.
Result<std::string> ReadRegularFile(const std::string& path, size_t most);

/// Reads and loads all files together and writes every diagnostic to stderr, or with `json` as one object a line to
/// stdout. `meta_table`: of the store, which no index may have. Errors in a file: kConfiguration with their number; a
/// file that cannot be read: its status; both: the former. Warnings alone are no error.
Result<std::vector<mapping::Mapping>> LoadMappings(const std::vector<std::string>& paths, const std::string& meta_table,
                                                   bool json = false);

/// The same for regular files only, for callers without stderr that must not wait for a pipe: all errors go to
/// `faults`, and then nothing is loaded. Drops warnings.
std::vector<mapping::Mapping> LoadQuietly(const std::vector<std::string>& paths, const std::string& meta_table,
                                          std::vector<RedactableText>* faults);

/// The file of an index.
std::string PathOf(const std::vector<mapping::Mapping>& mappings, const mapping::Index& index);

using Indexes = std::vector<std::shared_ptr<const mapping::Index>>;

/// The indexes of all mappings, or those named by --index in the files' order; kInvalidArgument with a suggestion for
/// each unknown name.
Result<Indexes> ChosenIndexes(const std::vector<mapping::Mapping>& mappings, const std::vector<std::string>& names);

/// The index of that name; kInvalidArgument with a suggestion.
Result<std::shared_ptr<const mapping::Index>> OneIndex(const std::vector<mapping::Mapping>& mappings,
                                                       const std::string& name);

/// The index of that name in that file, as LoadMappings loads it; kInvalidArgument with a suggestion.
Result<std::shared_ptr<const mapping::Index>> LoadIndex(const std::string& path, const std::string& name,
                                                        const std::string& meta_table);

}  // namespace fensi::operations
