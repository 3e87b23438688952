// Rates of the maintenance core, one thread: a whole batch from events to acknowledged writes, over a store that costs
// nothing (what the core itself costs) and over the embedded store in memory.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>

#include "indexer/make_index_maintainer.h"
#include "indexer/stateful_maintainer.h"
#include "indexer/tables.h"
#include "mapping/mapping.h"
#include "store/open_store.h"
#include "tests/bench/allocations.h"
#include "tests/doubles/fake_assignment.h"
#include "tests/doubles/nothing_store.h"

namespace fensi::indexer {
namespace {

constexpr int64_t kBatch = 2000;

class NoLetters final : public consumer::DeadLetterSink {
 public:
  Status Send(const consumer::DeadLetter&) override { return {}; }
  Status Flush() override { return {}; }
};

std::shared_ptr<const mapping::Index> LoadIndex(const std::string& body) {
  mapping::Diagnostics diagnostics;
  const auto mappings =
      mapping::Load({{"bench.yaml", "source: t\nindexes:\n  x:\n    table: x\n" + body}}, &diagnostics);
  if (mappings.empty()) {
    std::cerr << diagnostics.Text();
    std::exit(1);
  }
  return mappings[0].indexes[0];
}

std::unique_ptr<store::Store> EmbeddedWithTables(const mapping::Index& index) {
  auto opened = store::OpenMemoryStore(SystemClock());
  if (!opened.ok()) std::abort();
  std::unique_ptr<store::Store> store = std::move(*opened);
  (void)store->CreateTable(IndexTablePlan(index, index.table()).table, {});
  (void)store->CreateTable(StateTablePlan(index, {}).table, {});
  return store;
}

/// Batches in which every row is new, or the same rows change again and again.
consumer::Batch MakeBatch(const std::shared_ptr<consumer::Assignment>& assignment, int64_t number, bool same_rows) {
  consumer::Batch batch{.assignment = assignment};
  batch.records.reserve(kBatch);
  for (int64_t i = 0; i < kBatch; ++i) {
    const int64_t n = number * kBatch + i;
    ChangeEvent event{.table = "t", .row = "user" + std::to_string(1'000'000'000 + (same_rows ? i : n))};
    event.sequence_id = static_cast<uint64_t>(n) + 1;
    event.cells.push_back({.family = "f1",
                           .qualifier = "from",
                           .timestamp = 1'482'125'382'074 + n,
                           .value = "user" + std::to_string(n % 50'000)});
    batch.records.push_back({.offset = n, .event = std::move(event)});
  }
  return batch;
}

void ApplyBatches(benchmark::State& state, const std::string& body, bool embedded, bool same_rows, bool timed = false) {
  const auto index = LoadIndex(body);
  testing::NothingStore nothing;
  const std::unique_ptr<store::Store> kept = embedded ? EmbeddedWithTables(*index) : nullptr;
  NoLetters letters;
  Counters counters;
  const auto assignment = std::make_shared<FakeAssignment>("bench");
  MaintainerOptions context{index.get(), embedded ? kept.get() : &nothing, &letters, &counters};
  Timings timings;
  if (timed) context.timings = &timings;
  if (index->state_scope() == mapping::StateScope::kRow) context.layout.bucket_bits = kBucketBits;
  context.scheme = index->scheme();
  const std::unique_ptr<IndexMaintainer> keeper = MakeIndexMaintainer(context, assignment, true);
  int64_t number = 0, allocations = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const consumer::Batch batch = MakeBatch(assignment, number++, same_rows);
    const int64_t before = bench::Allocations();
    state.ResumeTiming();
    if (!keeper->Apply(batch).ok()) std::abort();
    allocations += bench::Allocations() - before;
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
  state.counters["allocations"] = static_cast<double>(allocations) / static_cast<double>(number * kBatch);
}

/// Single events of a row of so many columns, all of which were written before.
void ApplyToWideRow(benchmark::State& state) {
  const auto index =
      LoadIndex("    each: f1:*\n    row: '{qualifier}'\n    columns: { 'f1:{row}': '{ts | decimal}' }\n");
  testing::NothingStore nothing;
  NoLetters letters;
  Counters counters;
  const auto assignment = std::make_shared<FakeAssignment>("bench");
  StatefulMaintainer maintainer({index.get(), &nothing, &letters, &counters}, assignment, true);
  const int64_t columns = state.range(0);
  int64_t time = 0;
  const auto apply = [&](int64_t first, int64_t last) {
    consumer::Batch batch{.assignment = assignment};
    for (int64_t i = first; i < last; ++i) {
      ChangeEvent event{.table = "t", .row = "wide", .sequence_id = static_cast<uint64_t>(++time)};
      event.cells.push_back({.family = "f1", .qualifier = "q" + std::to_string(i), .timestamp = time, .value = "v"});
      batch.records.push_back({.offset = time, .event = std::move(event)});
    }
    if (!maintainer.Apply(batch).ok()) std::abort();
  };
  for (int64_t i = 0; i < columns; i += kBatch) apply(i, std::min(columns, i + kBatch));
  int64_t next = 0;
  for (auto _ : state) {
    apply(next, next + 1);
    next = (next + 7919) % columns;
  }
}

const std::string kFrom = "    row: '{f1:from}'\n    columns: { 'f1:{row}': '{f1:from@ts | decimal}' }\n";
const std::string kStateless =
    "    row: '{row | reverse}'\n    columns: { 'f1:from': '{f1:from}' }\n    mode: stateless\n";
const std::string kWide =
    "    each: f1:*\n    row: '{value}'\n    columns: { 'f1:{row}': '{ts | decimal}' }\n    unique: true\n";

BENCHMARK_CAPTURE(ApplyBatches, core_new_rows, kFrom, false, false);
BENCHMARK_CAPTURE(ApplyBatches, core_changed_rows, kFrom, false, true);
// The same with metrics on: what they cost.
BENCHMARK_CAPTURE(ApplyBatches, core_new_rows_timed, kFrom, false, false, true);
BENCHMARK_CAPTURE(ApplyBatches, core_changed_rows_timed, kFrom, false, true, true);
BENCHMARK_CAPTURE(ApplyBatches, core_new_columns, kWide, false, false);
BENCHMARK_CAPTURE(ApplyBatches, core_mirror, kStateless, false, false);
BENCHMARK(ApplyToWideRow)->RangeMultiplier(10)->Range(10, 1'000'000);
BENCHMARK_CAPTURE(ApplyBatches, embedded_new_rows, kFrom, true, false);
BENCHMARK_CAPTURE(ApplyBatches, embedded_changed_rows, kFrom, true, true);

}  // namespace
}  // namespace fensi::indexer

BENCHMARK_MAIN();
