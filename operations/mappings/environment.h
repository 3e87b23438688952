// The environment of mapping files on this machine: files beside them, the zones of its time zone database, and the
// meta table of the store.
//
// Blocks on the file system; any thread.
#pragma once

#include <string>

#include "mapping/environment.h"

namespace fensi::operations {

mapping::Environment FileEnvironment(const std::string& meta_table = mapping::kDefaultMetaTable);

}  // namespace fensi::operations
