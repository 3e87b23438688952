#include "operations/forecast/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fensi::operations {
namespace {

constexpr double kNormal = 1.959964;

/// Sums of a run.
struct RunSums {
  double figure = 0, size = 0;
};

std::vector<RunSums> SumRuns(const Population& population, std::span<const double> figures) {
  std::map<size_t, RunSums> runs;
  for (size_t i = 0; i < figures.size(); ++i) {
    const DrawnRow& row = population.drawn[i];
    RunSums& sums = runs[row.run];
    sums.figure += row.weight * figures[i];
    sums.size += row.weight * row.size;
  }
  std::vector<RunSums> all;
  for (const auto& [run, sums] : runs) all.push_back(sums);
  return all;
}

/// Wilson's interval of a share, for draws from a population of which a part is known.
struct ShareInterval {
  double low = 0, high = 1;
};

ShareInterval WilsonOf(double hits, double draws, double z) {
  const double share = hits / draws, square = z * z;
  const double middle = (share + square / (2 * draws)) / (1 + square / draws);
  const double half = z / (1 + square / draws) * std::sqrt(share * (1 - share) / draws + square / (4 * draws * draws));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

/// The part of the variance that is left when a part of the population was drawn.
double Undrawn(const Population& population) {
  if (population.rows <= 0) return 1;
  return std::max(0.0, 1 - static_cast<double>(population.drawn.size()) / population.rows);
}

/// The interval for a figure that no drawn row has.
Estimate NothingSeen(const Population& population, double runs, double undrawn, double smallest) {
  double mean_size = 0;
  for (const DrawnRow& row : population.drawn) mean_size += row.size;
  mean_size /= std::max<double>(1, static_cast<double>(population.drawn.size()));
  const double rows = population.rows > 0 ? population.rows : population.size.high / std::max(1e-9, mean_size);
  return {0, 0, rows * undrawn * WilsonOf(0, runs, kNormal).high * smallest};
}

}  // namespace

double StudentBound(double freedom) {
  const double z = kNormal, f = std::max(1.0, freedom);
  if (f < 3) return f < 2 ? 12.71 : 4.303;
  return z + (std::pow(z, 3) + z) / (4 * f) + (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * f * f);
}

Estimate TotalOf(const Population& population, std::span<const double> figures, double smallest) {
  const std::vector<RunSums> runs = SumRuns(population, figures);
  double figure = 0, size = 0, hits = 0;
  for (const RunSums& run : runs) {
    figure += run.figure;
    size += run.size;
    hits += run.figure > 0 ? 1 : 0;
  }
  const auto draws = static_cast<double>(runs.size());
  if (size <= 0) return {};
  const double ratio = figure / size, value = population.size.value * ratio;
  if (population.all) return {value, value, value};
  const double undrawn = Undrawn(population);
  if (figure <= 0) return NothingSeen(population, draws, undrawn, smallest);
  double squares = 0;
  for (const RunSums& run : runs) squares += std::pow(run.figure - ratio * run.size, 2);
  const double error = draws < 2 ? 1 : std::sqrt(undrawn * draws / (draws - 1) * squares) / figure;
  // A draw that has nothing says little about how rare such draws are.
  const double z = kNormal * std::sqrt(undrawn);
  const ShareInterval share = WilsonOf(hits, draws, z);
  const double half = StudentBound(draws - 1) * error, seen = hits / draws;
  const double least = std::min(1 - half, share.low / seen), most = std::max(1 + half, share.high / seen);
  const double size_low = population.size.low / population.size.value;
  const double size_high = population.size.high / population.size.value;
  return {value, std::max(0.0, value * least * size_low), value * most * size_high};
}

Estimate MeanOf(std::span<const double> figures) {
  if (figures.empty()) return {};
  const auto count = static_cast<double>(figures.size());
  double sum = 0, squares = 0;
  for (const double figure : figures) sum += figure;
  const double mean = sum / count;
  for (const double figure : figures) squares += std::pow(figure - mean, 2);
  const double half = count < 2 ? mean : StudentBound(count - 1) * std::sqrt(squares / (count - 1) / count);
  return {mean, std::max(0.0, mean - half), mean + half};
}

}  // namespace fensi::operations
