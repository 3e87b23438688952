// What mapping files refer to, from this machine: files beside them, and the zones of its time zone database.
//
// Blocks on the file system; any thread.
#pragma once

#include "mapping/environment.h"

namespace fensi::cli {

mapping::Environment FileEnvironment();

}  // namespace fensi::cli
