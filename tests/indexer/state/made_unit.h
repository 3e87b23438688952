// A unit with something to be stored.
#pragma once

#include <memory>

#include "indexer/state/row_work.h"
#include "tests/indexer/state/made_put.h"

namespace fensi::testing {

inline indexer::UnitWork DirtyUnit(int64_t version) {
  indexer::UnitWork work;
  work.unit.families = std::make_shared<indexer::FamilyStates>();
  work.unit.version = version;
  work.unit.FindOrAdd("", "")->Put(PutAt(version), false);
  work.dirty = true;
  return work;
}

}  // namespace fensi::testing
