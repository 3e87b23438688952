// The folder of an embedded store: what lies in it before it is opened, and who may read it. Blocks on the disk.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::store {

enum class FolderContent {
  kNothing,   // or what a process left that died before its database was made
  kDatabase,  // CURRENT is there
};

/// kInternal: CURRENT is missing beside other files of a database. kConfiguration: files that are not of a database.
/// kPermission: the folder cannot be read.
Result<FolderContent> LookIntoFolder(const std::string& directory);

/// Makes the folder for the eyes of its owner alone; one that exists stays as it is.
Status MakeFolder(const std::string& directory);

/// Takes the rights of others away from the files that an older fensi wrote. kPermission: that is not allowed.
Status HideFiles(const std::string& directory);

}  // namespace fensi::store
