// Prometheus' text format, version 0.0.4, by prometheus-cpp: the only place that knows it. Pure.
#pragma once

#include <string>

#include "metrics/snapshot.h"

namespace fensi::metrics {

inline constexpr char kTextType[] = "text/plain; version=0.0.4; charset=utf-8";

std::string Text(const Snapshot& snapshot);

}  // namespace fensi::metrics
