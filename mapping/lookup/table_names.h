// Makes the names of period tables from instants. Pure; not thread-safe: reuses its memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// Bound of the steps of a search, each of which makes a name; this many take some seconds.
inline constexpr int64_t kMostSteps = 20'000'000;

/// True if the name has only plain text and values of the one time.
bool IsOfTimeAlone(const IndexDefinition& definition);

class TableNames {
 public:
  /// Borrows the template of a period table, whose parts begin with `first_step` steps that give the time.
  TableNames(const Template& program, size_t first_step);

  /// The shortest time for which a name stays the same, except around clock changes.
  int64_t period() const { return period_; }

  /// Minimum distance from this instant to the next name. A clock change can cut a period to any length.
  int64_t StepAt(int64_t instant) const;

  /// Empty: this instant has no table.
  std::string At(int64_t instant);

 private:
  const Template& program_;
  const size_t first_step_;
  int64_t period_;
  std::vector<const TimeZone*> zones_;
  Scratch scratch_;
};

}  // namespace fensi::mapping
