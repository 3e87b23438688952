// Creates the maintainer for the scheme of an index.
#pragma once

#include <memory>

#include "consumer/change_source.h"
#include "indexer/index_maintainer.h"

namespace fensi::indexer {

/// `fresh`: nothing of the index can exist but what this assignment writes itself (M13).
std::unique_ptr<IndexMaintainer> MakeIndexMaintainer(const MaintainerOptions& context,
                                                     std::shared_ptr<consumer::Assignment> assignment, bool fresh);

}  // namespace fensi::indexer
