// Rates of the mapping engine, one thread, with the example mappings as they are shipped: source rows to index entries.
//
// An event of kind "new" is the first of its row: its cells are derived once. One of kind "changed" is derived twice,
// as the row was before and as it is after, which is what the daemon does. Cells are those of the example's own first
// test.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "mapping/mapping.h"
#include "operations/mappings/environment.h"
#include "operations/mappings/mapping_files.h"
#include "tests/bench/allocations.h"

namespace fensi::mapping {
namespace {

constexpr int64_t kWarmUp = 10'000;
constexpr int64_t kEvents = 2'000'000;

struct Sample {
  std::shared_ptr<const Index> index;
  std::string row;
  std::vector<Cell> cells;
};

/// The first row of a test as its puts leave it.
void FillRow(const TestCase& test, Sample* sample) {
  sample->row = test.given.front().row;
  for (const ChangeEvent& event : test.given) {
    if (event.row != sample->row) continue;
    for (const Cell& cell : event.cells) {
      const auto same = [&](const Cell& other) {
        return other.family == cell.family && other.qualifier == cell.qualifier;
      };
      std::erase_if(sample->cells, same);
      if (cell.type == CellType::kPut) sample->cells.push_back(cell);
    }
  }
}

std::vector<Sample> LoadSamples(const std::string& example) {
  const std::string path = std::string(FENSI_EXAMPLES) + "/" + example + ".yaml";
  const Result<std::string> text = operations::ReadFile(path, kMaxMappingBytes);
  Diagnostics diagnostics;
  if (!text.ok()) std::cerr << text.status().ToString() << "\n";
  const auto mappings = Load({{path, text.ok() ? *text : ""}}, &diagnostics, operations::FileEnvironment());
  if (mappings.empty()) {
    std::cerr << diagnostics.Text();
    std::exit(1);
  }
  std::vector<Sample> samples;
  for (const auto& index : mappings[0].indexes) {
    Sample sample{index, "", {}};
    FillRow(mappings[0].tests.front(), &sample);
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Derives the row of each event anew, `views` times; every event is of another row.
class Evaluation {
 public:
  Evaluation(const Sample& sample, int views) : index_(*sample.index), views_(views), row_(sample.row + "00000000") {
    for (const Cell& cell : sample.cells) {
      cells_.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
    }
  }

  void Event(int64_t number) {
    for (size_t i = 0; i < 8; ++i, number /= 10) row_[row_.size() - 1 - i] = static_cast<char>('0' + number % 10);
    for (int view = 0; view < views_; ++view) {
      entries_.Clear();
      index_.Derive({row_, cells_}, &entries_, &problems_);
      benchmark::DoNotOptimize(entries_.size());
    }
  }

  bool HasEntries() const { return entries_.size() > 0 && problems_.empty(); }

 private:
  const Index& index_;
  const int views_;
  std::string row_;
  std::vector<VisibleCell> cells_;
  EntryList entries_;
  std::vector<Unmappable> problems_;
};

void Evaluate(benchmark::State& state, const Sample& sample, int views) {
  Evaluation evaluation(sample, views);
  for (int64_t event = 0; event < kWarmUp; ++event) evaluation.Event(event);  // buffers grow once
  if (!evaluation.HasEntries()) state.SkipWithError("the sample has no entry");
  int64_t event = 0;
  const int64_t before = bench::Allocations();
  for (auto _ : state) evaluation.Event(event++);
  state.counters["allocations"] = static_cast<double>(bench::Allocations() - before) / static_cast<double>(event);
  state.SetItemsProcessed(state.iterations());
}

void RegisterAll() {
  for (const char* example :
       {"guanzhu-wide", "guanzhu-wide-from", "guanzhu-tall", "tsdb", "orders", "risk-profile", "packed-visitors"}) {
    for (const Sample& sample : LoadSamples(example)) {
      const std::string name = std::string(example) + "/" + sample.index->name();
      for (int views : {1, 2}) {
        benchmark::RegisterBenchmark((name + (views == 1 ? "/new" : "/changed")).c_str(), [sample, views](
                                                                                              benchmark::State& state) {
          Evaluate(state, sample, views);
        })->Iterations(kEvents);
      }
    }
  }
}

}  // namespace
}  // namespace fensi::mapping

int main(int argc, char** argv) {
  fensi::mapping::RegisterAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
