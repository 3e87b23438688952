// Rates of decoding: messages of a topic, and lines of a recorded file, one thread.
#include <benchmark/benchmark.h>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_encoder.h"

namespace fensi::consumer {
namespace {

ChangeEvent Follow() {
  ChangeEvent event{.table = "guanzhu", .row = "user0001234", .sequence_id = 4711};
  event.cells.push_back({.family = "f1", .qualifier = "from", .timestamp = 1'482'125'382'074, .value = "user0005678"});
  return event;
}

void DecodeMessage(benchmark::State& state) {
  const std::string bytes = EncodeEvent(Follow());
  EventCodec codec;
  ChangeEvent event;
  for (auto _ : state) {
    if (!codec.Decode(bytes, &event).ok()) std::abort();
    benchmark::DoNotOptimize(event.row.size());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DecodeMessage);

void DecodeJsonLine(benchmark::State& state) {
  std::string line;
  AppendJsonEvent(Follow(), &line);
  JsonDecoder decoder;
  ChangeEvent event;
  for (auto _ : state) {
    if (!decoder.Decode(line, &event).ok()) std::abort();
    benchmark::DoNotOptimize(event.row.size());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DecodeJsonLine);

}  // namespace
}  // namespace fensi::consumer

BENCHMARK_MAIN();
