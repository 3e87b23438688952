// The index's own row of its state table: cells that say what the index is, how far it is and who has paused it.
// indexer/index_meta.h lists the cells.
//
// Blocks on the store.
#pragma once

#include <string>
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

inline constexpr char kPauseColumn[] = "pause";

/// Who paused the index, when and why; empty: not paused.
Result<std::string> ReadPause(const MetaRow& row);

/// The message for commands that wait for a paused index; `paused`: as ReadPause returns it.
std::string PauseText(const mapping::Index& index, const std::string& paused);

static_assert(std::string_view(kIndexFamily) == meta::kFamily);

}  // namespace fensi::indexer
