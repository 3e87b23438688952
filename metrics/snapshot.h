// What is measured at one moment: values of the metrics of the table, gathered for one answer. Not thread-safe.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/histogram.h"

namespace fensi::metrics {

// What a histogram says of a part of its time. Pure.

/// What was observed between two snapshots of one histogram.
Histogram::Snapshot Between(const Histogram::Snapshot& before, const Histogram::Snapshot& after);

/// Below it lies this part (0 to 1) of what was observed, in its bucket as if that were filled evenly, as Prometheus
/// has it; what lies above all bounds counts as the last of them. Absent: nothing was observed.
std::optional<double> Quantile(const Histogram::Snapshot& observed, double part);

// What is measured at one moment: values of the metrics of the table, gathered for one answer. Not thread-safe.

class Snapshot {
 public:
  using Labels = std::vector<std::string>;  // values, in the order of the table
  using Value = std::variant<double, Histogram::Snapshot>;
  using Family = std::map<Labels, Value>;

  /// `name` stands in the table, with so many labels; another one is left out and told of by faults(). A series that is
  /// set twice keeps the last value.
  void Set(std::string_view name, Labels labels, double value) { Put(name, std::move(labels), value); }
  void Set(std::string_view name, Labels labels, int64_t value) {
    Put(name, std::move(labels), static_cast<double>(value));
  }
  void Set(std::string_view name, Labels labels, Histogram::Snapshot value) {
    Put(name, std::move(labels), std::move(value));
  }

  const std::map<std::string_view, Family>& families() const { return families_; }
  /// Names that are not in the table, or whose labels or kind are others: a fault of the program.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  void Put(std::string_view name, Labels labels, Value value);

  std::map<std::string_view, Family> families_;  // by names of the table
  std::vector<std::string> faults_;
};

}  // namespace fensi::metrics
