// The newest possible times of an index's entries, for comparisons with its source.
#pragma once

#include "mapping/index.h"
#include "store/store.h"
#include "sweep/scan/derivation.h"

namespace fensi::operations {

/// Reads the index's state table. The function blocks on the store; index and store outlive it.
sweep::NewestPut NewestPuts(const mapping::Index& index, store::Store* store);

}  // namespace fensi::operations
