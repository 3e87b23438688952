// The raw rate of the store: small cells through the same connections, as fast as the gateway takes them.
//   put_bench thrift://HOST:PORT [CELLS] [CALLERS] [CELLS_PER_ROW]
// Makes its table, and drops it again, unless somebody else has made it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

constexpr size_t kCellsPerCall = 5000;  // as many as fensi sends where the store is quick
constexpr char kTable[] = "fensi_put_bench";

// As entries of an index of follows: users as rows and qualifiers, a time as value; rows in no order.
RowMutation RowAt(size_t number, size_t cells) {
  RowMutation row{std::to_string(number * 2'654'435'761 % 1'000'000'007), {}};
  for (size_t i = 0; i < cells; ++i) {
    row.cells.push_back({.family = "f1",
                         .qualifier = std::to_string((number * 31 + i) % 50'000),
                         .timestamp = 1,
                         .value = std::to_string(1'482'125'382'000 + number)});
  }
  return row;
}

Status PutShare(Store* store, size_t first, size_t rows, size_t cells_per_row) {
  std::vector<RowMutation> batch;
  for (size_t i = first; i < first + rows; ++i) {
    batch.push_back(RowAt(i, cells_per_row));
    if (batch.size() * cells_per_row < kCellsPerCall && i + 1 < first + rows) continue;
    FENSI_RETURN_IF_ERROR(store->Put(kTable, batch).status());
    batch.clear();
  }
  return {};
}

Status Run(const std::string& url, size_t cells, size_t callers, size_t cells_per_row) {
  auto store = OpenStore(url, {.connections = static_cast<int>(callers)});
  FENSI_RETURN_IF_ERROR(store.status());
  const auto known = (*store)->DescribeTable(kTable);
  FENSI_RETURN_IF_ERROR(known.status());
  const bool ours = !known->has_value();
  if (ours) FENSI_RETURN_IF_ERROR((*store)->CreateTable({kTable, {{.name = "f1"}}}, {"2", "4", "6"}));
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  std::vector<Status> ends(callers);
  const size_t share = cells / cells_per_row / callers;
  for (size_t i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] { ends[i] = PutShare(store->get(), i * share, share, cells_per_row); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const Status& end : ends) FENSI_RETURN_IF_ERROR(end);
  std::printf("%.0f\n", static_cast<double>(share * callers * cells_per_row) / seconds);
  return ours ? (*store)->DropTable(kTable) : Status();
}

size_t NumberOr(int argc, char** argv, int position, size_t missing) {
  return argc > position ? std::strtoull(argv[position], nullptr, 10) : missing;
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  using fensi::store::NumberOr;
  const size_t cells = NumberOr(argc, argv, 2, 400'000);
  const size_t callers = NumberOr(argc, argv, 3, 4);
  const size_t cells_per_row = NumberOr(argc, argv, 4, 1);
  if (argc < 2 || callers == 0 || cells_per_row == 0) {
    std::fprintf(stderr, "usage: put_bench thrift://HOST:PORT [CELLS] [CALLERS] [CELLS_PER_ROW]\n");
    return 64;
  }
  const fensi::Status end = fensi::store::Run(argv[1], cells, callers, cells_per_row);
  if (!end.ok()) std::fprintf(stderr, "put_bench: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
