// Counts the tables of an index, and compares them with its forecast. Blocks on the store; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "operations/forecast/forecast.h"
#include "store/store.h"

namespace fensi::operations {

/// What the tables have.
struct Reality {
  double entries = 0, index_rows = 0, index_bytes = 0;
  double states = 0, state_bytes = 0;
};

/// A forecast figure with its reality.
struct Compared {
  std::string figure;
  Estimate forecast;
  double reality = 0;
  bool bytes = false;
};

/// Reads the whole index table, and the state table. kNotFound: a table is missing. kConfiguration: period tables that
/// cannot be listed.
Result<Reality> CountReality(const mapping::Index& index, store::Store* store, Clock* clock);

std::vector<Compared> Compare(const Forecast& forecast, const Reality& reality);

}  // namespace fensi::operations
