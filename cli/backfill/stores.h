// The store of a backfill, and who owns the index in it. Blocks on the store.
#pragma once

#include <memory>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// The process that runs a backfill has an embedded store alone, so that nobody else can own its rows.
bool IsOwnerItself();

/// With the tables that a backfill reads and writes; those of an embedded store are made when it is executed. One that
/// is not to be executed is to be had, too, while another process writes to an embedded store. `steers`: only the job
/// is told something. kConfiguration: the index was begun with another definition.
Result<std::shared_ptr<store::Store>> OpenForBackfill(const mapping::Index& index, bool steers);

}  // namespace fensi::cli
