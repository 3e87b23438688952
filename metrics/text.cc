#include "metrics/text.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

#include "metrics/table.h"

namespace fensi::metrics {
namespace {

prometheus::MetricType TypeOf(const Metric& metric) {
  switch (metric.type) {
    case Type::kCounter:
      return prometheus::MetricType::Counter;
    case Type::kGauge:
      return prometheus::MetricType::Gauge;
    default:
      return prometheus::MetricType::Histogram;
  }
}

/// "index,reason=a|b" -> {"index", "reason"}
std::vector<std::string> LabelNames(std::string_view labels) {
  std::vector<std::string> names;
  while (!labels.empty()) {
    const std::string_view label = labels.substr(0, labels.find(','));
    names.emplace_back(label.substr(0, label.find('=')));
    labels.remove_prefix(std::min(labels.size(), label.size() + 1));
  }
  return names;
}

void SetHistogram(const Histogram::Snapshot& from, prometheus::ClientMetric::Histogram* to) {
  to->sample_count = static_cast<uint64_t>(from.count);
  to->sample_sum = from.sum;
  for (size_t i = 0; i < from.bounds.size(); ++i) {
    to->bucket.push_back({static_cast<uint64_t>(from.cumulative[i]), from.bounds[i]});
  }
  to->bucket.push_back({to->sample_count, std::numeric_limits<double>::infinity()});
}

prometheus::ClientMetric SeriesOf(const std::vector<std::string>& names, const Snapshot::Labels& labels,
                                  const Snapshot::Value& value) {
  prometheus::ClientMetric series;
  for (size_t i = 0; i < names.size(); ++i) series.label.push_back({names[i], labels[i]});
  if (const auto* histogram = std::get_if<Histogram::Snapshot>(&value)) {
    SetHistogram(*histogram, &series.histogram);
  } else {
    series.counter.value = series.gauge.value = std::get<double>(value);
  }
  return series;
}

}  // namespace

std::string Text(const Snapshot& snapshot) {
  std::vector<prometheus::MetricFamily> families;
  for (const Metric& metric : Table()) {
    const auto found = snapshot.families().find(metric.name);
    if (found == snapshot.families().end()) continue;
    prometheus::MetricFamily& family = families.emplace_back();
    family.name = metric.name;
    family.help = metric.help;
    family.type = TypeOf(metric);
    const std::vector<std::string> names = LabelNames(metric.labels);
    for (const auto& [labels, value] : found->second) family.metric.push_back(SeriesOf(names, labels, value));
  }
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return std::move(out).str();
}

}  // namespace fensi::metrics
