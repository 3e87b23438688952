// The way of keeping an index that its scheme says.
#pragma once

#include <memory>

#include "consumer/change_source.h"
#include "indexer/keeper.h"

namespace fensi::indexer {

/// `fresh`: nothing of the index can exist but what this assignment writes itself (M13).
std::unique_ptr<Keeper> NewKeeper(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment,
                                  bool fresh);

}  // namespace fensi::indexer
