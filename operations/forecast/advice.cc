#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "operations/forecast/forecast.h"

namespace fensi::operations {
namespace {

constexpr double kRegionBytes = 10.0 * (1 << 30);  // hbase.hregion.max.filesize
constexpr double kMostRegions = 256;
constexpr size_t kFewestForGrowth = 40;  // entries
constexpr size_t kNewest = 10;           // one in ten
constexpr size_t kPlaces = 16;           // parts of the keys with as many entries each
constexpr double kOnePlace = 0.75;       // of the newest entries, in one part
constexpr size_t kSalts = 16;
constexpr double kUneven = 2;  // times the even share

std::vector<std::string> SortedRows(const Measured& measured) {
  std::vector<std::string> rows;
  for (const SampledEntry& entry : measured.cells) rows.push_back(entry.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// True if the newest entries are close to one another in the order of the keys.
bool KeysGrow(const Measured& measured, const std::vector<std::string>& sorted) {
  if (measured.cells.size() < kFewestForGrowth) return false;
  std::vector<const SampledEntry*> order;
  for (const SampledEntry& entry : measured.cells) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->newest > b->newest; });
  const size_t newest = order.size() / kNewest;
  // Equal times say nothing.
  if (order[newest - 1]->newest == order.back()->newest) return false;
  std::vector<size_t> places(kPlaces);
  for (size_t i = 0; i < newest; ++i) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), order[i]->row) - sorted.begin();
    ++places[static_cast<size_t>(at) * kPlaces / sorted.size()];
  }
  // One part may end between them.
  for (size_t i = 0; i + 1 < kPlaces; ++i) {
    if (static_cast<double>(places[i] + places[i + 1]) >= kOnePlace * static_cast<double>(newest)) return true;
  }
  return false;
}

std::vector<std::string> EvenSplits(const std::vector<std::string>& sorted, size_t regions) {
  constexpr size_t kSplitBytes = 8;  // as many as the sample can tell
  std::vector<std::string> keys;
  for (size_t i = 1; i < regions && !sorted.empty(); ++i) {
    std::string key = sorted[i * sorted.size() / regions].substr(0, kSplitBytes);
    if (keys.empty() || keys.back() < key) keys.push_back(std::move(key));
  }
  return keys;
}

bool PlannedIsUneven(const Forecast& forecast) {
  const double even = 1 / static_cast<double>(forecast.parts.size());
  return std::any_of(forecast.parts.begin(), forecast.parts.end(),
                     [&](const Part& part) { return part.at_least > kUneven * even; });
}

void AdviseMode(const mapping::Index& index, Advice* advice) {
  const bool stateless = index.scheme() == mapping::Scheme::kStateless;
  if (stateless) {
    advice->mode = "stateless";
    advice->mode_reason = "each index cell follows one source cell, and no event writes a state";
  } else if (index.stateless_obstacle().empty()) {
    advice->mode = "stateless";
    advice->mode_reason =
        "'mode: stateless' is possible and saves a state per change. Stay stateful if writers give times in the past "
        "or delete single versions, because each such event reads the source";
  } else {
    advice->mode = "stateful";
    advice->mode_reason = index.stateless_obstacle();
  }
}

/// Half of the memory is for states. In memory a state takes about twice its stored bytes.
int64_t MemoryFor(const mapping::Index& index, const Forecast& forecast) {
  constexpr double kMegabyte = 1 << 20, kPerState = 2, kHalves = 2;
  constexpr int64_t kLeast = 128, kMost = 4096;
  if (index.scheme() == mapping::Scheme::kStateless) return kLeast;
  const double wanted = std::ceil(forecast.state_bytes.high * kPerState * kHalves / kMegabyte);
  return std::clamp(static_cast<int64_t>(std::min(wanted, 1e9)), kLeast, kMost);
}

}  // namespace

Advice Advise(const mapping::Index& index, const SourceSample& sample, const Measured& measured,
              const Forecast& forecast) {
  Advice advice;
  const std::vector<std::string> sorted = SortedRows(measured);
  const double by_size = std::ceil(forecast.index_file_bytes.high / kRegionBytes);
  advice.regions = static_cast<size_t>(std::clamp(by_size, 1.0, kMostRegions));
  advice.regions = std::max({advice.regions, forecast.parts.size(), std::min<size_t>(sample.regions, 256)});
  advice.salt_planned = !forecast.salts.empty();
  advice.growing = KeysGrow(measured, sorted);
  if (advice.growing && !advice.salt_planned) advice.salts = std::max(kSalts, advice.regions);
  if (advice.salt_planned) advice.salts = forecast.salts.size();
  const bool fits = forecast.planned_splits && forecast.parts.size() >= advice.regions && !PlannedIsUneven(forecast);
  if (advice.salts == 0 && !fits) advice.split_keys = EvenSplits(sorted, advice.regions);
  AdviseMode(index, &advice);
  advice.memory_mb = MemoryFor(index, forecast);
  return advice;
}

}  // namespace fensi::operations
