#include "operations/repair/local_owners.h"

#include <utility>

namespace fensi::operations {
namespace {

// Requests per batch, as a daemon's: one delayed re-read serves all of them.
constexpr size_t kMostRequests = 2'000;

}  // namespace

Status LocalOwners::Ask(consumer::Request request) {
  asked_.push_back(std::move(request));
  return asked_.size() < kMostRequests ? Status() : Flush();
}

Status LocalOwners::Flush() {
  if (asked_.empty()) return Status();
  return owner_->Apply(std::exchange(asked_, {}));
}

}  // namespace fensi::operations
