// Rates of one partition with a backlog whose store is far: batches of so many events, from decoded events to
// acknowledged states, one behind the other, through a gateway that answers so many milliseconds late.
//   far_bench [MILLIS] [EVENTS] [BATCH] [CONNECTIONS]
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "indexer/stateful_maintainer.h"
#include "mapping/mapping.h"
#include "store/hbase/hbase_store.h"
#include "tests/bench/far_gateway.h"
#include "tests/doubles/fake_assignment.h"

namespace fensi::indexer {
namespace {

using std::chrono::milliseconds;

class NoLetters final : public consumer::DeadLetterSink {
 public:
  Status Send(const consumer::DeadLetter&) override { return {}; }
  Status Flush() override { return {}; }
};

constexpr char kMapping[] =
    "source: t\nindexes:\n  x:\n    table: x\n    row: '{f1:from}'\n    columns: { 'f1:{row}': '{f1:from@ts | "
    "decimal}' }\n";

std::shared_ptr<const mapping::Index> LoadIndex() {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load({{"bench.yaml", kMapping}}, &diagnostics);
  if (mappings.empty()) std::abort();
  return mappings[0].indexes[0];
}

/// Users in no order, each of whom follows somebody else in each round.
consumer::Batch MakeBatch(const std::shared_ptr<consumer::Assignment>& assignment, int64_t first, int64_t size,
                          int64_t users) {
  consumer::Batch batch{.assignment = assignment};
  batch.records.reserve(static_cast<size_t>(size));
  for (int64_t n = first; n < first + size; ++n) {
    ChangeEvent event{.table = "t", .row = "user" + std::to_string(1'000'000'000 + n % users * 7919 % users)};
    event.sequence_id = static_cast<uint64_t>(n) + 1;
    event.cells.push_back({.family = "f1",
                           .qualifier = "from",
                           .timestamp = 1'482'125'382'074 + n,
                           .value = "user" + std::to_string(n * 31 % 50'000)});
    batch.records.push_back({.offset = n, .event = std::move(event)});
  }
  return batch;
}

struct Job {
  const char* name;
  bool fresh;          // nothing to be read
  size_t cache_bytes;  // for states
  int64_t first;       // round
};

double RateOf(const Job& job, store::Store* store, int64_t events, int64_t size, Timings* timings) {
  const auto index = LoadIndex();
  NoLetters letters;
  Counters counters;
  const auto assignment = std::make_shared<FakeAssignment>("bench");
  MaintainerOptions context{index.get(), store, &letters, &counters};
  context.cache_bytes = job.cache_bytes;
  context.timings = timings;
  context.layout.bucket_bits = kBucketBits;  // units are source rows
  StatefulMaintainer maintainer(context, assignment, job.fresh);
  std::chrono::duration<double> took{0};
  for (int64_t done = 0; done < events; done += size) {
    const consumer::Batch batch =
        MakeBatch(assignment, job.first * events + done, std::min(size, events - done), events);
    const auto begin = std::chrono::steady_clock::now();
    const Status applied = maintainer.Apply(batch);
    took += std::chrono::steady_clock::now() - begin;
    if (!applied.ok()) std::fprintf(stderr, "%s\n", applied.ToString().c_str());
    if (!applied.ok()) std::exit(1);
  }
  return static_cast<double>(events) / took.count();
}

/// Where the time went: microseconds of an event in each phase.
void PrintPhases(const Timings& timings, int64_t events) {
  std::printf("    ");
  for (size_t i = 0; i < kPhases; ++i) {
    const double sum = timings.phases[i].snapshot().sum;
    if (sum > 0) std::printf(" %s %.1f", kPhaseNames[i], sum * 1e6 / static_cast<double>(events));
  }
  std::printf(" us/event\n");
}

double PeakMib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

int64_t NumberOr(int argc, char** argv, int position, int64_t missing) {
  return argc > position ? std::atoll(argv[position]) : missing;
}

}  // namespace
}  // namespace fensi::indexer

int main(int argc, char** argv) {
  using namespace fensi;
  using namespace fensi::indexer;
  const int64_t away = NumberOr(argc, argv, 1, 10), events = NumberOr(argc, argv, 2, 100'000);
  const int64_t batch = NumberOr(argc, argv, 3, 5'000), connections = NumberOr(argc, argv, 4, 4);
  bench::FarGateway gateway{milliseconds(away)};
  store::HBaseOptions options;
  options.host = "127.0.0.1";
  options.port = gateway.port();
  options.connections = static_cast<int>(connections);
  const auto store = store::HBaseStore::Open(options).value();
  std::printf("%d ms away, batches of %d, %d connections\n", static_cast<int>(away), static_cast<int>(batch),
              static_cast<int>(connections));
  for (const Job& job : {Job{"new rows of a new index", true, size_t{64} << 20, 0},
                         Job{"changed rows, states to be read", false, size_t{1} << 20, 1},
                         Job{"changed rows again, larger pace", false, size_t{1} << 20, 2}}) {
    const int64_t calls = gateway.calls();
    Timings timings;
    const double rate = RateOf(job, store.get(), events, batch, &timings);
    std::printf("  %-34s %9.0f events/s  %6.1f calls for 10,000 events\n", job.name, rate,
                static_cast<double>(gateway.calls() - calls) * 1e4 / static_cast<double>(events));
    PrintPhases(timings, events);
  }
  std::printf("peak %.0f MiB, gateway included\n", PeakMib());
}
