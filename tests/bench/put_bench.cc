// The raw rate of the store: rows of one small cell through the same connections, as fast as the gateway takes them.
//   put_bench hbase://HOST:PORT [ROWS] [CALLERS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

constexpr size_t kRowsPerCall = 1000;
constexpr char kTable[] = "fensi_put_bench";

Status PutShare(Store* store, size_t first, size_t rows) {
  std::vector<RowMutation> batch;
  for (size_t i = first; i < first + rows; ++i) {
    batch.push_back(
        {"user" + std::to_string(i * 2'654'435'761 % 1'000'000'007),
         {{.family = "f1", .qualifier = "user" + std::to_string(i % 50'000), .timestamp = 1, .value = "1"}}});
    if (batch.size() < kRowsPerCall && i + 1 < first + rows) continue;
    FENSI_RETURN_IF_ERROR(store->Put(kTable, batch).status());
    batch.clear();
  }
  return {};
}

Status Run(const std::string& url, size_t rows, int callers) {
  auto store = OpenStore(url, {.connections = callers});
  FENSI_RETURN_IF_ERROR(store.status());
  (void)(*store)->DropTable(kTable);
  FENSI_RETURN_IF_ERROR((*store)->CreateTable({kTable, {{.name = "f1"}}}, {}));
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  std::vector<Status> ends(static_cast<size_t>(callers));
  const size_t share = rows / static_cast<size_t>(callers);
  for (size_t i = 0; i < ends.size(); ++i) {
    threads.emplace_back([&, i] { ends[i] = PutShare(store->get(), i * share, share); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const Status& end : ends) FENSI_RETURN_IF_ERROR(end);
  std::printf("%.0f\n", static_cast<double>(share * ends.size()) / seconds);
  return (*store)->DropTable(kTable);
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: put_bench hbase://HOST:PORT [ROWS] [CALLERS]\n");
    return 64;
  }
  const size_t rows = argc > 2 ? static_cast<size_t>(std::atoll(argv[2])) : 400'000;
  const fensi::Status end = fensi::store::Run(argv[1], rows, argc > 3 ? std::atoi(argv[3]) : 4);
  if (!end.ok()) std::fprintf(stderr, "put_bench: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
