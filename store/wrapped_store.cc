#include "store/wrapped_store.h"

#include <memory>

namespace fensi::store {

std::unique_ptr<Store> Store::Guarded(std::function<Status()> permission) {
  return std::make_unique<FencedStoreView>(this, std::move(permission));
}

Result<std::vector<RegionBounds>> Store::Regions(const std::string& table) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> starts, RegionStarts(table));
  std::vector<RegionBounds> regions;
  for (size_t i = 0; i < starts.size(); ++i) {
    regions.push_back({"", starts[i], i + 1 < starts.size() ? starts[i + 1] : ""});
  }
  return regions;
}

}  // namespace fensi::store
