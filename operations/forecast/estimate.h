// Totals of a table from a sample of its rows, with intervals that hold the truth at 95 %. Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace fensi::operations {

struct Estimate {
  double value = 0, low = 0, high = 0;

  Estimate Times(double factor) const { return {value * factor, low * factor, high * factor}; }
  bool Holds(double truth) const { return low <= truth && truth <= high; }
  bool exact() const { return low == high; }
};

/// A sampled row. Rows that were read one after the other are a run: they may be alike, so the run is one draw.
struct DrawnRow {
  size_t run = 0;
  double weight = 1;  // how many times more rows than another drawn row it represents
  double size = 1;    // in the unit of the population
};

/// The population that the rows represent: rows if they were counted, else bytes.
struct Population {
  Estimate size;     // with what is uncertain about it
  double rows = 0;   // if they were counted; 0: unknown
  bool all = false;  // the sample has every row
  std::vector<DrawnRow> drawn;
};

/// The total over the population of a figure that each drawn row has. `smallest`: of a row that has any, for a figure
/// that no drawn row has.
Estimate TotalOf(const Population& population, std::span<const double> figures, double smallest = 1);

/// The mean of independent figures, for example of changes.
Estimate MeanOf(std::span<const double> figures);

/// The largest deviation, in standard errors, that 95 % of samples with so many degrees of freedom keep.
double StudentBound(double freedom);

}  // namespace fensi::operations
