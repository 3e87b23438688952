// Every metric that fensi may show: its name, what kind it is, its labels, and exactly what it says. docs/metrics.md is
// made of it. Names keep their meaning; one that goes stays for a minor version (docs/versions.md).
#pragma once

#include <span>
#include <string_view>

namespace fensi::metrics {

enum class Type { kCounter, kGauge, kHistogram };

struct Metric {
  std::string_view name;  // with its prefix
  Type type;
  std::string_view labels;  // "index,reason"; a closed list of words stands behind '=': "reason=rejected|unmappable"
  std::string_view help;    // for people: short sentences
};

/// In the order in which they are shown.
std::span<const Metric> Table();

/// Null: there is none of this name.
const Metric* FindMetric(std::string_view name);

/// "counter", "gauge" or "histogram".
std::string_view TypeName(Type type);

}  // namespace fensi::metrics
