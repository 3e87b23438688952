// How long it takes from a put into the source until the index shows it, with capture and daemon running.
//   capture_bench hbase://HOST:PORT SOURCE INDEX [PUTS] [PAUSE_MS]
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

/// Of this run and no other, so that no entry of an earlier one is taken for it.
std::string NumberOf(size_t i) {
  static const std::string run = std::to_string(SystemClock()->WallMillis());
  return run + "-" + std::to_string(i);
}

Status PutAll(Store* store, const std::string& table, std::chrono::milliseconds pause, std::atomic<size_t>* count,
              std::vector<steady_clock::time_point>* begun) {
  auto next = steady_clock::now();
  for (size_t i = 0; i < begun->size(); ++i) {
    std::this_thread::sleep_until(next += pause);
    const std::string number = NumberOf(i);
    const Cell cell{.family = "f1", .qualifier = "b" + number, .timestamp = SystemClock()->WallMillis(), .value = "x"};
    const RowMutation row{"a" + number, {cell}};
    FENSI_RETURN_IF_ERROR(store->Put(table, {&row, 1}).status());
    (*begun)[i] = steady_clock::now();  // counts from the acknowledgement
    *count = i + 1;
  }
  return {};
}

/// Milliseconds of each put, seen in order by one reader.
Result<std::vector<double>> SeeAll(Store* store, const std::string& table, const std::atomic<size_t>& count,
                                   const std::vector<steady_clock::time_point>& begun) {
  std::vector<double> taken;
  auto deadline = steady_clock::now() + kTimeout;
  while (taken.size() < begun.size()) {
    if (steady_clock::now() > deadline) return Status(StatusCode::kInternal, "a put did not reach the index");
    if (count <= taken.size()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    const GetRequest request{.row = "b" + NumberOf(taken.size())};
    const auto rows = store->Get(table, {&request, 1});
    if (!rows.ok()) return rows.status();
    if (rows.value().front().cells.empty()) continue;
    const auto now = steady_clock::now();
    taken.push_back(std::chrono::duration<double, std::milli>(now - begun[taken.size()]).count());
    deadline = now + kTimeout;
  }
  return taken;
}

Status Run(const std::string& url, const std::string& source, const std::string& index, size_t puts,
           std::chrono::milliseconds pause) {
  auto writer = OpenStore(url, {.connections = 1});
  FENSI_RETURN_IF_ERROR(writer.status());
  auto reader = OpenStore(url, {.connections = 1});
  FENSI_RETURN_IF_ERROR(reader.status());
  std::atomic<size_t> count = 0;
  std::vector<steady_clock::time_point> begun(puts);
  Status put;
  std::thread thread([&] { put = PutAll(writer->get(), source, pause, &count, &begun); });
  Result<std::vector<double>> taken = SeeAll(reader->get(), index, count, begun);
  thread.join();
  FENSI_RETURN_IF_ERROR(put);
  FENSI_RETURN_IF_ERROR(taken.status());
  std::sort(taken->begin(), taken->end());
  const auto at = [&](double share) { return (*taken)[static_cast<size_t>(share * static_cast<double>(puts - 1))]; };
  std::printf("p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms of %zu puts\n", at(0.5), at(0.9), at(0.99), at(1),
              puts);
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: capture_bench hbase://HOST:PORT SOURCE INDEX [PUTS] [PAUSE_MS]\n");
    return 64;
  }
  const size_t puts = argc > 4 ? static_cast<size_t>(std::atoll(argv[4])) : 2000;
  const std::chrono::milliseconds pause(argc > 5 ? std::atoi(argv[5]) : 20);
  const fensi::Status end = fensi::store::Run(argv[1], argv[2], argv[3], puts, pause);
  if (!end.ok()) std::fprintf(stderr, "capture_bench: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
