// Records of an index in the meta table: its description, and its bulk loads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/cell.h"
#include "base/clock.h"
#include "mapping/index.h"
#include "meta/bulk_loads.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "store/store.h"

namespace fensi::indexer {

inline meta::IndexDescriptor FactsOf(const mapping::Index& index, std::string incarnation) {
  return {std::move(incarnation), index.table(), index.state_table(),
          index.source_table(),   index.topic(), index.fingerprint()};
}

/// Records a bulk load durably; blocks on the store. Store and clock outlive it.
inline std::function<Status(const ChangeEvent&)> LoadNote(const meta::VersionedMetaRow& row,
                                                          const std::string& incarnation, Clock* clock) {
  return [clock, loads = std::make_shared<meta::BulkLoads>(row, incarnation)](const ChangeEvent& load) {
    return loads->Note({load.region, load.sequence_id, load.row, load.write_time, clock->WallMillis()});
  };
}

}  // namespace fensi::indexer
