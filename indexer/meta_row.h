// The index's own row of its state table: cells that say what the index is and how far it is. indexer/index_meta.h
// lists the cells.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"
#include "meta/versioned_meta_row.h"
#include "store/store.h"

namespace fensi::indexer {

class MetaRow : public meta::VersionedMetaRow {
 public:
  static constexpr const char* kRow = meta::kOwnRow;

  /// Borrows store and clock.
  MetaRow(const mapping::Index* index, store::Store* store, Clock* clock = SystemClock())
      : VersionedMetaRow(store, index->state_table(), kRow, clock) {}
};

static_assert(std::string_view(kIndexFamily) == meta::kFamily);

}  // namespace fensi::indexer
