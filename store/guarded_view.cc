#include "store/guarded_view.h"

#include <memory>

namespace fensi::store {

std::unique_ptr<Store> Store::Guarded(std::function<Status()> permission) {
  return std::make_unique<GuardedView>(this, std::move(permission));
}

}  // namespace fensi::store
