// Which times entries of an index may have, for who compares it with its source.
#pragma once

#include "mapping/index.h"
#include "store/store.h"
#include "sweep/entry_times.h"

namespace fensi::cli {

/// By the index's state table. The function blocks on the store; index and store outlive it.
sweep::NewestPut NewestPuts(const mapping::Index& index, store::Store* store);

}  // namespace fensi::cli
