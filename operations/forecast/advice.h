// Settings that fit a forecast index. Pure; any thread.
#pragma once

#include "mapping/index.h"
#include "operations/forecast/forecast.h"
#include "operations/forecast/measure.h"

namespace fensi::operations {

/// `forecast` has everything but its advice.
Advice Advise(const mapping::Index& index, const SourceSample& sample, const Measured& measured,
              const Forecast& forecast);

}  // namespace fensi::operations
