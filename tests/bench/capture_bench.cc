// How long it takes from a put into the source until the index shows it, with capture and daemon running.
//   capture_bench thrift://HOST:PORT SOURCE INDEX [PUTS] [PAUSE_MS]
// Put i is row a<run>-<i>, column f1:b<run>-<i>; the index has it in row b<run>-<i>. Prints milliseconds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeout{120};
/// Between two looks: who looks without a pause takes a core from the servers that are measured.
constexpr std::chrono::microseconds kLookPause{500};

/// Of this run and no other, so that no entry of an earlier one is taken for it.
std::string NumberOf(size_t i) {
  static const std::string run = std::to_string(SystemClock()->WallMillis());
  return run + "-" + std::to_string(i);
}

/// When a put was to begin, and when it was acknowledged.
struct Moments {
  steady_clock::time_point due;
  steady_clock::time_point acknowledged;
};

/// Milliseconds.
struct Taken {
  std::vector<double> since_due;  // a put that waits for the one before waits as its user does
  std::vector<double> since_acknowledged;
};

double MillisBetween(steady_clock::time_point begin, steady_clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

Status PutAll(Store* store, const std::string& table, std::chrono::milliseconds pause, std::atomic<size_t>* count,
              std::vector<Moments>* puts) {
  auto next = steady_clock::now();
  for (size_t i = 0; i < puts->size(); ++i) {
    std::this_thread::sleep_until(next += pause);
    const std::string number = NumberOf(i);
    const Cell cell{.family = "f1", .qualifier = "b" + number, .timestamp = SystemClock()->WallMillis(), .value = "x"};
    const RowMutation row{"a" + number, {cell}};
    FENSI_RETURN_IF_ERROR(store->Put(table, {&row, 1}).status());
    (*puts)[i] = {next, steady_clock::now()};
    *count = i + 1;
  }
  return {};
}

/// Of each put, seen in order by one reader.
Result<Taken> SeeAll(Store* store, const std::string& table, const std::atomic<size_t>& count,
                     const std::vector<Moments>& puts) {
  Taken taken;
  size_t seen = 0;
  auto deadline = steady_clock::now() + kTimeout;
  while (seen < puts.size()) {
    if (steady_clock::now() > deadline) return Status(StatusCode::kInternal, "a put did not reach the index");
    if (count <= seen) {
      std::this_thread::sleep_for(kLookPause);
      continue;
    }
    const GetRequest request{.row = "b" + NumberOf(seen)};
    const auto rows = store->Get(table, {&request, 1});
    if (!rows.ok()) return rows.status();
    if (rows.value().front().cells.empty()) {
      std::this_thread::sleep_for(kLookPause);
      continue;
    }
    const auto now = steady_clock::now();
    taken.since_due.push_back(MillisBetween(puts[seen].due, now));
    taken.since_acknowledged.push_back(MillisBetween(puts[seen].acknowledged, now));
    ++seen;
    deadline = now + kTimeout;
  }
  return taken;
}

void Print(std::vector<double>* acknowledged, std::vector<double>* due) {
  std::sort(acknowledged->begin(), acknowledged->end());
  std::sort(due->begin(), due->end());
  const auto at = [](const std::vector<double>& sorted, double share) {
    return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  std::printf(
      "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, p99.9 %.1f ms, max %.1f ms of %zu puts; with the put itself, from when "
      "it was due: "
      "half within %.1f ms, 99 %% within %.1f ms\n",
      at(*acknowledged, 0.5), at(*acknowledged, 0.9), at(*acknowledged, 0.99), at(*acknowledged, 0.999),
      at(*acknowledged, 1), acknowledged->size(), at(*due, 0.5), at(*due, 0.99));
}

Status Run(const std::string& url, const std::string& source, const std::string& index, size_t puts,
           std::chrono::milliseconds pause) {
  auto writer = OpenStore(url, {.connections = 1});
  FENSI_RETURN_IF_ERROR(writer.status());
  auto reader = OpenStore(url, {.connections = 1});
  FENSI_RETURN_IF_ERROR(reader.status());
  std::atomic<size_t> count = 0;
  std::vector<Moments> moments(puts);
  Status put;
  std::thread thread([&] { put = PutAll(writer->get(), source, pause, &count, &moments); });
  Result<Taken> taken = SeeAll(reader->get(), index, count, moments);
  thread.join();
  FENSI_RETURN_IF_ERROR(put);
  FENSI_RETURN_IF_ERROR(taken.status());
  Print(&taken->since_acknowledged, &taken->since_due);
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: capture_bench thrift://HOST:PORT SOURCE INDEX [PUTS] [PAUSE_MS]\n");
    return 64;
  }
  const size_t puts = argc > 4 ? static_cast<size_t>(std::atoll(argv[4])) : 2000;
  const std::chrono::milliseconds pause(argc > 5 ? std::atoi(argv[5]) : 20);
  const fensi::Status end = fensi::store::Run(argv[1], argv[2], argv[3], puts, pause);
  if (!end.ok()) std::fprintf(stderr, "capture_bench: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
