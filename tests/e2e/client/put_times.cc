// Puts one cell after the other into each of the rows, from a thread of its own each, through one store, until standard
// input ends. Prints for each put "ROW BEGIN_MS TOOK_MS", milliseconds since 1970 and with fractions.
//   put_times URL TABLE ROW…
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPause(5);

void PutUntil(const std::atomic<bool>& ended, Store* store, const std::string& table, const std::string& row) {
  int64_t number = 0;
  while (!ended) {
    const RowMutation put{row, {{.family = "f", .qualifier = "q", .timestamp = ++number, .value = "v"}}};
    const auto begin_ms =
        std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const auto begin = steady_clock::now();
    while (!ended && !store->Put(table, std::span(&put, 1)).ok()) {
    }
    const double took_ms = std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
    std::printf("%s %lld %.3f\n", row.c_str(), static_cast<long long>(begin_ms), took_ms);
    std::this_thread::sleep_for(kPause);
  }
}

Status Run(const std::string& url, const std::string& table, const std::vector<std::string>& rows) {
  auto store = OpenStore(url, {.connections = static_cast<int>(rows.size())});
  FENSI_RETURN_IF_ERROR(store.status());
  std::atomic<bool> ended = false;
  std::vector<std::thread> threads;
  for (const std::string& row : rows) {
    threads.emplace_back([&ended, &store, &table, &row] { PutUntil(ended, store->get(), table, row); });
  }
  while (std::getchar() != EOF) continue;
  ended = true;
  for (std::thread& thread : threads) thread.join();
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: put_times URL TABLE ROW...\n");
    return 64;
  }
  const fensi::Status end = fensi::store::Run(argv[1], argv[2], std::vector<std::string>(argv + 3, argv + argc));
  if (!end.ok()) std::fprintf(stderr, "put_times: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
