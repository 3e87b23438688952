// A view of a store that asks for the permission before each call: what Store::Guarded gives where nothing waits inside
// a call.
//
// As thread-safe as the store behind and the question.
#pragma once

#include <functional>
#include <utility>

#include "store/around_store.h"

namespace fensi::store {

class GuardedView final : public AroundStore<GuardedView, PassingStore> {
 public:
  /// Does not own the store.
  GuardedView(Store* store, std::function<Status()> permission)
      : AroundStore(store), permission_(std::move(permission)) {}

 private:
  friend class AroundStore<GuardedView, PassingStore>;

  template <typename Call>
  auto Around(CallKind /*kind*/, Call call) -> decltype(call()) {
    FENSI_RETURN_IF_ERROR(permission_());
    return call();
  }

  const std::function<Status()> permission_;
};

}  // namespace fensi::store
