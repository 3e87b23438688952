// What a raw read of the index shows at cells that a recheck is about to write: puts and markers that nobody told of
// may lie above every version of their source row.
//
// Blocks on the store; not thread-safe. Store and assignment outlive it.
#pragma once

#include <cstdint>
#include <vector>

#include "consumer/change_source.h"
#include "mapping/entry_list.h"
#include "store/store.h"

namespace fensi::indexer {

class IndexCells {
 public:
  IndexCells(store::Store* store, const consumer::Assignment* assignment) : store_(store), assignment_(assignment) {}

  /// Of each cell the newest timestamp of a put or marker that stands there, visible or not; -1: nothing does.
  Status ReadNewest(const mapping::EntryList& cells, std::vector<int64_t>* newest);

 private:
  /// Columns of one index row.
  Status ReadRow(const mapping::EntryList& cells, const std::vector<size_t>& of_row, std::vector<int64_t>* newest);

  store::Store* const store_;
  const consumer::Assignment* const assignment_;
};

}  // namespace fensi::indexer
