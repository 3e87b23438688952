// Rates of the mapping engine: source rows to index entries, one thread.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "mapping/mapping.h"

namespace fensi::mapping {
namespace {

std::shared_ptr<const Index> LoadOne(const std::string& lines) {
  Diagnostics diagnostics;
  const auto mappings = Load({{"bench.yaml", "source: t\nindexes:\n  x:\n    table: x\n" + lines}}, &diagnostics);
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
  for (auto _ : state) {
    entries.Clear();
    index->Derive({"user0001234", cells}, &entries, &problems);
    benchmark::DoNotOptimize(entries.size());
  }
  state.SetItemsProcessed(state.iterations());
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
                  {{"o", "seller", 1, "seller17"}, {"o", "time", 1, "1482125382074"}, {"o", "no", 1, "A-17"},
                   {"o", "buyer", 1, "buyer42"}});

}  // namespace
}  // namespace fensi::mapping

BENCHMARK_MAIN();
