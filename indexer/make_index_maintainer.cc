#include "indexer/make_index_maintainer.h"

#include <utility>

#include "indexer/mirror/mirror.h"
#include "indexer/stateful_maintainer.h"

namespace fensi::indexer {

std::unique_ptr<IndexMaintainer> MakeIndexMaintainer(const MaintainerOptions& context,
                                                     std::shared_ptr<consumer::Assignment> assignment, bool fresh) {
  if (context.scheme == mapping::Scheme::kStateless) return std::make_unique<Mirror>(context, std::move(assignment));
  return std::make_unique<StatefulMaintainer>(context, std::move(assignment), fresh);
}

}  // namespace fensi::indexer
