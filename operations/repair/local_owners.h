// Applies repair requests in this process, as the owner of all rows of an embedded store, which no other process can
// open meanwhile.
//
// Blocks on the store, and for seconds during delayed re-reads of the source; one thread.
#pragma once

#include <vector>

#include "indexer/in_process_owner.h"
#include "operations/repair/owners.h"

namespace fensi::operations {

class LocalOwners final : public RowOwners {
 public:
  /// `owner` is open; outlives it.
  explicit LocalOwners(indexer::InProcessOwner* owner) : owner_(owner) {}

  Status Ask(consumer::Request request) override;
  Status Flush() override;
  Result<bool> AllDone() override { return asked_.empty(); }

 private:
  indexer::InProcessOwner* const owner_;
  std::vector<consumer::Request> asked_;
};

}  // namespace fensi::operations
