// The work of `fensi forecast`: a forecast of each index on the console. Blocks on the store; one thread.
#pragma once

#include "operations/access/stores.h"
#include "operations/forecast/forecast.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::operations {

struct ForecastRunOptions {
  StoreOptions store;
  ForecastOptions forecast;
  bool compare = false;  // with the tables of the index, which it counts
  bool json = false;
};

/// kNotFound: a source table, or with `compare` an index table, is missing.
Status RunForecast(const Indexes& indexes, const ForecastRunOptions& options);

}  // namespace fensi::operations
