// Rates of one store: puts in batches, gets in batches, a scan of all rows, and one put after the other.
//   store_bench URL [CELLS] [CALLERS]
// Prints puts/s, microseconds of the machine's processors a put, gets/s, scanned rows/s, and of single puts the median
// and the 99th percentile in milliseconds, in one line. Makes its table, and drops it again.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

using std::chrono::steady_clock;

constexpr size_t kRowsOfPut = 5'000, kRowsOfGet = 1'000, kSinglePuts = 500;

double SecondsSince(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

/// Users as rows, in no order, as entries of an index of follows.
std::string RowAt(size_t number) { return std::to_string(number * 2'654'435'761 % 1'000'000'007); }

RowMutation PutAt(size_t number, int64_t timestamp) {
  const std::string value = std::to_string(1'482'125'382'000 + number);
  return {RowAt(number), {{.family = "f1", .qualifier = "q", .timestamp = timestamp, .value = value}}};
}

/// Of all processors in which they did something, for whatever process; proc(5), /proc/stat: user, nice, system, and
/// behind idle and iowait those of interrupts.
double BusySeconds() {
  std::ifstream stat("/proc/stat");
  std::string name;
  stat >> name;
  double ticks = 0;
  for (int field = 0; field < 7; ++field) {
    double one = 0;
    stat >> one;
    if (field != 3 && field != 4) ticks += one;
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Rows/s of one scan of the whole table, page by page.
Result<double> ScanRate(Store* store, const std::string& table) {
  const auto begin = steady_clock::now();
  size_t rows = 0;
  ScanRequest request;
  while (true) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<Row> page, store->Scan(table, request));
    rows += page.size();
    if (!ToNextPage(page, &request)) break;
  }
  return static_cast<double>(rows) / SecondsSince(begin);
}

/// `work` on the numbers of each call, shared out to the callers; calls/s are of numbers.
Result<double> Rate(size_t numbers, size_t callers, size_t of_call, const std::function<Status(size_t, size_t)>& work) {
  const auto begin = steady_clock::now();
  std::vector<std::thread> threads;
  std::vector<Status> ends(callers);
  for (size_t caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      for (size_t at = caller * of_call; at < numbers && ends[caller].ok(); at += callers * of_call) {
        ends[caller] = work(at, std::min(of_call, numbers - at));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Status& end : ends) FENSI_RETURN_IF_ERROR(end);
  return static_cast<double>(numbers) / SecondsSince(begin);
}

Status Run(const std::string& url, size_t cells, size_t callers) {
  const std::string table = "fensi_store_bench_" + std::to_string(getpid());
  Result<std::unique_ptr<Store>> opened = OpenStore(url, {.connections = static_cast<int>(callers)});
  FENSI_RETURN_IF_ERROR(opened.status());
  Store& store = **opened;
  FENSI_RETURN_IF_ERROR(store.CreateTable({table, {{.name = "f1"}}}, {"2", "4", "6"}));
  const double busy = BusySeconds();
  const Result<double> puts = Rate(cells, callers, kRowsOfPut, [&](size_t first, size_t count) {
    std::vector<RowMutation> rows;
    for (size_t i = first; i < first + count; ++i) rows.push_back(PutAt(i, 1));
    return store.Put(table, rows).status();
  });
  FENSI_RETURN_IF_ERROR(puts.status());
  const double put_micros = 1e6 * (BusySeconds() - busy) / static_cast<double>(cells);
  const Result<double> gets = Rate(cells / 4, callers, kRowsOfGet, [&](size_t first, size_t count) {
    std::vector<GetRequest> requests;
    for (size_t i = first; i < first + count; ++i) requests.push_back({.row = RowAt(i), .columns = {{"f1", "q"}}});
    return store.Get(table, requests).status();
  });
  FENSI_RETURN_IF_ERROR(gets.status());
  FENSI_ASSIGN_OR_RETURN(const double scanned, ScanRate(&store, table));
  std::vector<double> millis;
  for (size_t i = 0; i < kSinglePuts; ++i) {
    const RowMutation row = PutAt(i, 2);
    const auto begin = steady_clock::now();
    FENSI_RETURN_IF_ERROR(store.Put(table, std::span(&row, 1)).status());
    millis.push_back(1e3 * SecondsSince(begin));
  }
  std::sort(millis.begin(), millis.end());
  std::printf("%.0f %.2f %.0f %.0f %.3f %.3f\n", *puts, put_micros, *gets, scanned, millis[millis.size() / 2],
              millis[millis.size() * 99 / 100]);
  return store.DropTable(table);
}

size_t NumberOr(int argc, char** argv, int position, size_t missing) {
  return argc > position ? std::strtoull(argv[position], nullptr, 10) : missing;
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  const size_t cells = fensi::store::NumberOr(argc, argv, 2, 200'000);
  const size_t callers = fensi::store::NumberOr(argc, argv, 3, 4);
  if (argc < 2 || cells == 0 || callers == 0) {
    std::fprintf(stderr, "usage: store_bench URL [CELLS] [CALLERS]\n");
    return 64;
  }
  const fensi::Status end = fensi::store::Run(argv[1], cells, callers);
  if (!end.ok()) std::fprintf(stderr, "store_bench: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
