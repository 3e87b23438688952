// What one answer of /metrics takes: gathering and writing so many series. 10,000 are some thirty indexes with all that
// they have, or as many partitions; an answer must not take 50 ms (docs/operations.md).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "metrics/snapshot.h"
#include "metrics/text.h"

namespace fensi::metrics {
namespace {

void Tell(benchmark::State& state, const std::string& text) {
  const auto series = std::count(text.begin(), text.end(), '\n');
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(series));
  state.counters["bytes"] = static_cast<double>(text.size());
  state.counters["lines"] = static_cast<double>(series);
}

/// Series of partitions, a number each.
void Partitions(benchmark::State& state) {
  std::string text;
  for (auto _ : state) {
    Snapshot snapshot;
    for (int64_t i = 0; i < state.range(0); ++i) {
      snapshot.Set("fensi_applied_offset", {"index" + std::to_string(i % 10), std::to_string(i / 10)}, i);
    }
    text = Text(snapshot);
  }
  Tell(state, text);
}

/// Fourteen histograms an index, as phases and calls of the store are.
void Histograms(benchmark::State& state) {
  Histogram histogram(Histogram::kOfCalls);
  for (int i = 0; i < 1000; ++i) histogram.Observe(i / 1000.0);
  std::string text;
  for (auto _ : state) {
    Snapshot snapshot;
    for (int64_t i = 0; i < state.range(0) / 16; ++i) {  // each is sixteen series
      const std::string index = "index" + std::to_string(i / 14);
      snapshot.Set("fensi_phase_seconds", {index, "phase" + std::to_string(i % 14)}, histogram.snapshot());
    }
    text = Text(snapshot);
  }
  Tell(state, text);
}

BENCHMARK(Partitions)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(Histograms)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fensi::metrics

BENCHMARK_MAIN();
