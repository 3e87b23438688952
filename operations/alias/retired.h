// Checks whether an index is being dropped. Blocks on the store; any thread.
#pragma once

#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

/// kConfiguration with the remedy: `fensi drop` has begun and not ended, so the index must not be used or created
/// meanwhile. Ok if there is no meta table, or it cannot be read; kUnavailable: it could not be
/// reached.
Status RefuseRetired(const mapping::Index& index, store::Store* store, const std::string& meta_table);

}  // namespace fensi::operations
