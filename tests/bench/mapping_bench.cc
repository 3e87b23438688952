// Rates of the mapping engine: source rows to index entries, one thread.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "mapping/mapping.h"

namespace {

// Of the one thread that measures.
int64_t allocations = 0;

}  // namespace

void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace fensi::mapping {
namespace {

constexpr char kVisitors[] =
    "syntax = \"proto3\"; package example; enum Type { ALL = 0; HTTP = 1; RTSP = 2; }"
    "message Visitor { int64 requests = 1; int64 delivered = 2; int64 internal = 3; int64 duration = 4; int64 users = "
    "5;"
    "  Type type = 6; }"
    "message VisitorsInfo { repeated Visitor visitor = 1; }";

const Environment kEnvironment = {
    [](const std::string&, const std::string&) { return Result<std::string>(std::string(kVisitors)); }, nullptr};

std::shared_ptr<const Index> LoadOne(const std::string& lines) {
  Diagnostics diagnostics;
  const auto mappings =
      Load({{"bench.yaml", "source: t\nprotos: [visitors.proto]\nindexes:\n  x:\n    table: x\n" + lines}},
           &diagnostics, kEnvironment);
  if (mappings.empty()) {
    std::cerr << diagnostics.Text();
    std::exit(1);
  }
  return mappings[0].indexes[0];
}

void DeriveRows(benchmark::State& state, const std::string& lines, const std::vector<VisibleCell>& cells) {
  const auto index = LoadOne(lines);
  EntryList entries;
  std::vector<Unmappable> problems;
  index->Derive({"user0001234", cells}, &entries, &problems);  // buffers grow once
  const int64_t before = allocations;
  for (auto _ : state) {
    entries.Clear();
    index->Derive({"user0001234", cells}, &entries, &problems);
    benchmark::DoNotOptimize(entries.size());
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(allocations - before), benchmark::Counter::kAvgIterations);
}

const std::string kColumns = "    columns: { 'f1:{row}': '{ts | decimal}' }\n";

BENCHMARK_CAPTURE(DeriveRows, follow_wide, "    each: f1:*\n    row: '{qualifier}'\n" + kColumns,
                  {{"f1", "user0005678", 1482125382074, "follows"}});
BENCHMARK_CAPTURE(DeriveRows, follow_from,
                  "    row: '{f1:from}'\n    columns: { 'f1:{row}': '{f1:from@ts | decimal}' }\n",
                  {{"f1", "from", 1482125382074, "user0005678"}});
BENCHMARK_CAPTURE(DeriveRows, follow_tall,
                  "    row: '{f1:from | md5 | hex | first 8}{row | md5 | hex | first 8}'\n"
                  "    columns: { 'f1:{row}': '{f1:from}' }\n",
                  {{"f1", "from", 1482125382074, "user0005678"}});
BENCHMARK_CAPTURE(DeriveRows, order_by_seller,
                  "    row: '{o:seller | terminated}{o:time | int | to_be 8}{row}'\n"
                  "    columns: { 'f:n': '{o:no}', 'f:b': '{o:buyer}' }\n",
                  {{"o", "seller", 1, "seller17"},
                   {"o", "time", 1, "1482125382074"},
                   {"o", "no", 1, "A-17"},
                   {"o", "buyer", 1, "buyer42"}});

BENCHMARK_CAPTURE(
    DeriveRows, tsdb,
    "    row: '{t:metric | fixed 3}{t:time | int | from_s | floor_hour | seconds | to_be 4}{t:tags}'\n"
    "    columns: { 't:{t:time | int | mod 3600 | mul 16 | add 4 | to_be 2}': '{t:value}' }\n"
    "    unique: true\n",
    {{"t", "metric", 1, "abc"}, {"t", "time", 1, "1292148123"}, {"t", "tags", 1, "abcdef"}, {"t", "value", 1, "0.5"}});
BENCHMARK_CAPTURE(DeriveRows, risk_tele,
                  "    row: '{p:uid | md5 | hex | first 6}{p:tele}'\n"
                  "    columns: { 'p:{row}': '{p:uid}' }\n",
                  {{"p", "uid", 1, "u1001"}, {"p", "tele", 1, "13712345678"}});
BENCHMARK_CAPTURE(DeriveRows, packed_visitors,
                  "    each: '{v:info | proto example.VisitorsInfo visitor}'\n"
                  "    row: '{item | proto example.Visitor type | terminated}"
                  "{item | proto example.Visitor requests | descending | to_be 8}{row}'\n"
                  "    columns: { 'v:users': '{item | proto example.Visitor users | decimal}' }\n",
                  {{"v", "info", 1,
                    std::string_view("\x0A\x06\x08\x05\x28\x03\x30\x01\x0A\x06\x08\x07\x28\x02\x30\x02", 16)}});

}  // namespace
}  // namespace fensi::mapping

BENCHMARK_MAIN();
