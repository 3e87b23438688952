// Reads rows with their read points, in several threads, until standard input ends. Rows are "0", "1" … in decimal.
// Prints for each row "REGION POINT ROW VALUE"; a row without a value is left out.
//   point_reader URL TABLE COLUMN ROWS THREADS
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "store/open_store.h"

namespace fensi::store {
namespace {

constexpr size_t kRowsOfRead = 20;
constexpr std::chrono::milliseconds kPause(5);

class Reader {
 public:
  Reader(Store* store, std::string table, const std::string& column, int rows)
      : store_(store), table_(std::move(table)), rows_(rows) {
    const ColumnName name = SplitColumn(column);
    column_ = {std::string(name.family), std::string(name.qualifier)};
  }

  void ReadUntil(const std::atomic<bool>& ended, uint64_t seed) {
    std::mt19937_64 random(seed);
    while (!ended) {
      std::vector<GetRequest> requests;
      for (size_t i = 0; i < kRowsOfRead; ++i) {
        const std::string row = std::to_string(random() % static_cast<uint64_t>(rows_));
        requests.push_back({.row = row, .columns = {column_}, .read_point = true});
      }
      const auto read = store_->Get(table_, requests);
      if (read.ok()) Print(*read);
      std::this_thread::sleep_for(kPause);  // a server that is away
    }
  }

 private:
  void Print(const std::vector<Row>& rows) {
    std::string lines;
    for (const Row& row : rows) {
      if (row.cells.empty() || row.read_point == nullptr) continue;
      lines += row.read_point->region + " " + std::to_string(row.read_point->number) + " " + row.row + " " +
               row.cells.front().value + "\n";
    }
    const std::lock_guard lock(mu_);
    std::fputs(lines.c_str(), stdout);
  }

  Store* const store_;
  const std::string table_;
  const int rows_;
  GetRequest::Column column_;
  std::mutex mu_;
};

Status Run(char** argv) {
  const int threads = std::atoi(argv[5]);
  auto store = OpenStore(argv[1], {.connections = threads});
  FENSI_RETURN_IF_ERROR(store.status());
  Reader reader(store->get(), argv[2], argv[3], std::atoi(argv[4]));
  std::atomic<bool> ended = false;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] { reader.ReadUntil(ended, static_cast<uint64_t>(i)); });
  }
  while (std::getchar() != EOF) continue;
  ended = true;
  for (std::thread& thread : running) thread.join();
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: point_reader URL TABLE COLUMN ROWS THREADS\n");
    return 64;
  }
  const fensi::Status end = fensi::store::Run(argv);
  if (!end.ok()) std::fprintf(stderr, "point_reader: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
