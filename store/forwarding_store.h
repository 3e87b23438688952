// A store that hands every call on to the one behind it, also the question for the permission: what wrappers begin
// with, who override what they change.
//
// As thread-safe as the store behind.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "store/passing_store.h"

namespace fensi::store {

class ForwardingStore : public PassingStore {
 public:
  using PassingStore::PassingStore;

  /// A wrapper cannot lose the permission on its way: it is asked where the requests are sent.
  std::unique_ptr<Store> Guarded(std::function<Status()> permission) final {
    return Over(behind()->Guarded(std::move(permission)));
  }

 protected:
  /// The same wrapper, sharing what it knows, over another view of the store behind.
  virtual std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) = 0;
};

}  // namespace fensi::store
