#include "store/wrapped_store.h"

#include <memory>

namespace fensi::store {

std::unique_ptr<Store> Store::Guarded(std::function<Status()> permission) {
  return std::make_unique<FencedStoreView>(this, std::move(permission));
}

}  // namespace fensi::store
