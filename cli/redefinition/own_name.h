// Whether the name of an index is its own in the meta table. Blocks on the store; any thread.
#pragma once

#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// kConfiguration, with both definitions: another index, with other tables, has the name in --meta_table. Ok where
/// there is no meta table, or the user may not read it.
Status RequireOwnName(const mapping::Index& index, store::Store* store);

}  // namespace fensi::cli
