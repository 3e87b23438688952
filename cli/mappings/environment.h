// What mapping files refer to, from this machine: files beside them, the zones of its time zone database, and the meta
// table of the command line.
//
// Blocks on the file system; any thread.
#pragma once

#include "mapping/environment.h"

namespace fensi::cli {

mapping::Environment FileEnvironment();

}  // namespace fensi::cli
