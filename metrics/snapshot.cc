#include "metrics/snapshot.h"

#include <algorithm>
#include <utility>

#include "metrics/table.h"

namespace fensi::metrics {

Histogram::Snapshot Between(const Histogram::Snapshot& before, const Histogram::Snapshot& after) {
  Histogram::Snapshot between = after;
  between.count = std::max<int64_t>(0, after.count - before.count);
  between.sum = std::max(0.0, after.sum - before.sum);
  for (size_t i = 0; i < std::min(between.cumulative.size(), before.cumulative.size()); ++i) {
    between.cumulative[i] = std::max<int64_t>(0, after.cumulative[i] - before.cumulative[i]);
  }
  return between;
}

std::optional<double> Quantile(const Histogram::Snapshot& observed, double part) {
  if (observed.count <= 0 || observed.bounds.empty()) return std::nullopt;
  const double rank = part * static_cast<double>(observed.count);
  double below = 0;  // observed in the buckets before
  double least = 0;  // bound of this one
  for (size_t i = 0; i < observed.cumulative.size(); ++i) {
    const auto within = static_cast<double>(observed.cumulative[i]);
    const double most = observed.bounds[i];
    if (within >= rank && within > below) return least + (most - least) * (rank - below) / (within - below);
    below = within;
    least = most;
  }
  return observed.bounds.back();
}

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
