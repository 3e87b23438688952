// The owner of all rows in this process: of an embedded store, which no other process can open meanwhile.
//
// Blocks on the store, and for seconds where the source is looked at again; one thread.
#pragma once

#include <vector>

#include "cli/repair/owners.h"
#include "indexer/sole_owner.h"

namespace fensi::cli {

class LocalOwners final : public RowOwners {
 public:
  /// Opened before; outlives it.
  explicit LocalOwners(indexer::SoleOwner* owner) : owner_(owner) {}

  Status Ask(consumer::Request request) override;
  Status Flush() override;
  Result<bool> AllDone() override { return asked_.empty(); }

 private:
  indexer::SoleOwner* const owner_;
  std::vector<consumer::Request> asked_;
};

}  // namespace fensi::cli
