#include "indexer/new_keeper.h"

#include <utility>

#include "indexer/maintainer.h"
#include "indexer/mirror/mirror.h"

namespace fensi::indexer {

std::unique_ptr<Keeper> NewKeeper(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment,
                                  bool fresh) {
  if (context.scheme == mapping::Scheme::kMirror) return std::make_unique<Mirror>(context, std::move(assignment));
  return std::make_unique<Maintainer>(context, std::move(assignment), fresh);
}

}  // namespace fensi::indexer
