// Reads raw which puts and markers are at the index cells that a recheck is about to write: cells that no event
// reported may be above every version of their source row.
//
// Blocks on the store; not thread-safe. The store outlives it.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/entry_list.h"
#include "store/store.h"

namespace fensi::indexer {

class IndexCells {
 public:
  explicit IndexCells(store::Store* store) : store_(store) {}

  /// Per cell the newest timestamp of a put or marker, visible or not; -1: none.
  Status ReadNewest(const mapping::EntryList& cells, std::vector<int64_t>* newest);

 private:
  /// Columns of one index row.
  Status ReadRow(const mapping::EntryList& cells, const std::vector<size_t>& of_row, std::vector<int64_t>* newest);

  store::Store* const store_;
};

}  // namespace fensi::indexer
