// What a histogram says of a part of its time. Pure.
#pragma once

#include <optional>

#include "base/histogram.h"

namespace fensi::metrics {

/// What was observed between two snapshots of one histogram.
Histogram::Snapshot Between(const Histogram::Snapshot& before, const Histogram::Snapshot& after);

/// Below it lies this part (0 to 1) of what was observed, in its bucket as if that were filled evenly, as Prometheus
/// has it; what lies above all bounds counts as the last of them. Absent: nothing was observed.
std::optional<double> Quantile(const Histogram::Snapshot& observed, double part);

}  // namespace fensi::metrics
