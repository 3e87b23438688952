// Whether somebody drops an index at this moment. Blocks on the store; any thread.
#pragma once

#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// kConfiguration with the remedy: `fensi drop` has begun and not ended, so nobody may make its tables again in
/// between. Where there is no meta table, or it cannot be read, nobody says so; kUnavailable: it was not to be asked
/// now.
Status RefuseRetired(const mapping::Index& index, store::Store* store);

}  // namespace fensi::cli
