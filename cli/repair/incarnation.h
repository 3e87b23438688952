// The random name of an index, without which its owners skip what they are asked.
//
// Blocks on the store.
#pragma once

#include <string>

#include "base/status.h"
#include "indexer/index_meta.h"
#include "mapping/index.h"

namespace fensi::cli {

/// kConfiguration, with the remedy: nobody has begun the index, or it was made without a source that could be read.
Result<std::string> NeededIncarnation(const mapping::Index& index, const indexer::IndexMeta& meta);

}  // namespace fensi::cli
