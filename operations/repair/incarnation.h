// Requires the incarnation of an index, without which its owners skip requests.
//
// Blocks on the store.
#pragma once

#include <string>

#include "base/status.h"
#include "indexer/index_meta.h"
#include "mapping/index.h"

namespace fensi::operations {

/// kConfiguration, with the remedy: the index has not begun, or it was created without a readable source.
Result<std::string> NeededIncarnation(const mapping::Index& index, const indexer::IndexMeta& meta);

}  // namespace fensi::operations
