// Opens the store of a backfill, and tells who owns the index in it. Blocks on the store.
#pragma once

#include <memory>

#include "base/status.h"
#include "mapping/index.h"
#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::operations {

/// True if the process that runs a backfill has an embedded store alone, so that no other process can own its rows.
bool IsOwnerItself(const StoreOptions& options);

/// Requires the tables that a backfill reads and writes; creates those of an embedded store if the backfill is
/// executed. Without execution an embedded store may be in use by another process. `steers`: only the job is steered.
/// kConfiguration: the index was begun with another definition.
Result<std::shared_ptr<store::Store>> OpenForBackfill(const mapping::Index& index, const StoreOptions& named,
                                                      bool execute, bool steers);

}  // namespace fensi::operations
