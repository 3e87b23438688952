// The description of an index for the meta table. Pure.
#pragma once

#include <string>
#include <utility>

#include "mapping/index.h"
#include "meta/index_record.h"

namespace fensi::indexer {

inline meta::IndexDescriptor FactsOf(const mapping::Index& index, std::string incarnation) {
  return {std::move(incarnation), index.table(), index.state_table(),
          index.source_table(),   index.topic(), index.fingerprint()};
}

}  // namespace fensi::indexer
