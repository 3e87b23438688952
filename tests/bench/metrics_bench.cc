// What one answer of /metrics takes: gathering and writing so many series.
#include <benchmark/benchmark.h>

#include <string>

#include "metrics/snapshot.h"
#include "metrics/text.h"

namespace fensi::metrics {
namespace {

void Answer(benchmark::State& state) {
  size_t bytes = 0;
  for (auto _ : state) {
    Snapshot snapshot;
    for (int64_t i = 0; i < state.range(0); ++i) {
      snapshot.Set("fensi_applied_offset", {"index" + std::to_string(i % 10), std::to_string(i / 10)}, i);
    }
    bytes = Text(snapshot).size();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes"] = static_cast<double>(bytes);
}

BENCHMARK(Answer)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fensi::metrics

BENCHMARK_MAIN();
