#include "metrics/snapshot.h"

#include <algorithm>
#include <utility>

#include "metrics/table.h"

namespace fensi::metrics {
namespace {

size_t LabelCount(const Metric& metric) {
  return metric.labels.empty() ? 0
                               : static_cast<size_t>(std::count(metric.labels.begin(), metric.labels.end(), ',')) + 1;
}

}  // namespace

void Snapshot::Put(std::string_view name, Labels labels, Value value) {
  const Metric* metric = FindMetric(name);
  const bool fits = metric != nullptr && labels.size() == LabelCount(*metric) &&
                    (metric->type == Type::kHistogram) == std::holds_alternative<Histogram::Snapshot>(value);
  if (!fits) return faults_.emplace_back(name), void();
  families_[metric->name][std::move(labels)] = std::move(value);
}

}  // namespace fensi::metrics
