// How long a change takes to the index if the stream alone does not say what the row shows: deletes of the newest
// version of a cell, which uncover the older one. Prints "P50 P99 MAX" in milliseconds from the acknowledgement of a
// delete to the moment at which a reader sees the uncovered entry, of each tenth delete.
//   late_bench URL SOURCE INDEX ROWS DELETES_PER_SECOND
// The index has the column f1:from as its row key and f1:ROW as its only column.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

using std::chrono::steady_clock;
using Millis = std::chrono::duration<double, std::milli>;

constexpr size_t kRowsOfCall = 500, kDeletesOfCall = 10, kLooksOfCall = 400;
constexpr std::chrono::minutes kPatience(5);
/// The daemon has had its partitions for longer than a new owner needs to trust read points.
constexpr std::chrono::seconds kOwned(3);

class Bench {
 public:
  Bench(Store* store, std::string source, std::string index, int rows, double per_second)
      : store_(store), source_(std::move(source)), index_(std::move(index)), rows_(rows), per_second_(per_second) {}

  Status Run() {
    FENSI_RETURN_IF_ERROR(Prepare());
    std::this_thread::sleep_for(kOwned);
    std::thread reader([this] { Watch(); });
    const Status deleted = DeleteAll();
    {
      const std::lock_guard lock(mu_);
      ended_ = true;
    }
    reader.join();
    FENSI_RETURN_IF_ERROR(deleted);
    FENSI_RETURN_IF_ERROR(watched_);
    std::sort(took_.begin(), took_.end());
    std::printf("%.1f %.1f %.1f\n", took_[took_.size() / 2], took_[took_.size() * 99 / 100], took_.back());
    return {};
  }

 private:
  struct Deleted {
    int row;
    steady_clock::time_point at;
  };

  static std::string RowOf(int row) { return std::to_string(row * 7919LL % 10) + "r" + std::to_string(row); }
  static std::string Older(int row) { return RowOf(row) + "-older"; }
  static std::string Newer(int row) { return RowOf(row) + "-newer"; }
  GetRequest Entry(int row, const std::string& key) const { return {.row = key, .columns = {{"f1", RowOf(row)}}}; }

  /// Each row has two versions, and the index shows the newer one.
  Status Prepare() {
    for (int begin = 0; begin < rows_; begin += kRowsOfCall) {
      std::vector<RowMutation> puts;
      for (int row = begin; row < std::min<int>(rows_, begin + kRowsOfCall); ++row) {
        puts.push_back({RowOf(row),
                        {{.family = "f1", .qualifier = "from", .timestamp = 1, .value = Older(row)},
                         {.family = "f1", .qualifier = "from", .timestamp = 2, .value = Newer(row)}}});
      }
      FENSI_RETURN_IF_ERROR(store_->Put(source_, puts).status());
    }
    const auto until = steady_clock::now() + kPatience;
    for (int row = 0; row < rows_;) {
      std::vector<GetRequest> looks;
      for (int i = row; i < std::min<int>(rows_, row + kRowsOfCall); ++i) looks.push_back(Entry(i, Newer(i)));
      FENSI_ASSIGN_OR_RETURN(const std::vector<Row> shown, store_->Get(index_, looks));
      const bool all = std::none_of(shown.begin(), shown.end(), [](const Row& one) { return one.cells.empty(); });
      if (all) row += kRowsOfCall;
      if (!all && steady_clock::now() > until) return Status(StatusCode::kUnavailable, "the index does not follow");
      if (!all) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return {};
  }

  Status DeleteAll() {
    const auto begin = steady_clock::now();
    for (int row = 0; row < rows_; row += kDeletesOfCall) {
      std::this_thread::sleep_until(
          begin + std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(row / per_second_)));
      std::vector<RowMutation> deletes;
      for (int i = row; i < std::min<int>(rows_, row + kDeletesOfCall); ++i) {
        deletes.push_back(
            {RowOf(i), {{.family = "f1", .qualifier = "from", .timestamp = 2, .type = CellType::kDelete}}});
      }
      FENSI_RETURN_IF_ERROR(store_->Delete(source_, deletes).status());
      // One of each call: to look for all of them would be more work for HBase than what is measured.
      const std::lock_guard lock(mu_);
      open_.push_back({row, steady_clock::now()});
    }
    return {};
  }

  std::vector<Deleted> Open(bool* ended) {
    const std::lock_guard lock(mu_);
    *ended = ended_;
    const size_t count = std::min(open_.size(), kLooksOfCall);
    std::vector<Deleted> first(open_.begin(), open_.begin() + static_cast<ptrdiff_t>(count));
    open_.erase(open_.begin(), open_.begin() + static_cast<ptrdiff_t>(count));
    return first;
  }

  void Watch() {
    auto progress = steady_clock::now();
    for (bool ended = false; watched_.ok();) {
      const std::vector<Deleted> open = Open(&ended);
      if (open.empty() && ended) return;
      if (open.empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      std::vector<GetRequest> looks;
      for (const Deleted& one : open) looks.push_back(Entry(one.row, Older(one.row)));
      const Result<std::vector<Row>> shown = store_->Get(index_, looks);
      watched_ = shown.status();
      if (!shown.ok()) return;
      const auto now = steady_clock::now();
      const std::lock_guard lock(mu_);
      for (size_t i = open.size(); i-- > 0;) {
        if ((*shown)[i].cells.empty()) {
          open_.push_front(open[i]);
          continue;
        }
        took_.push_back(Millis(now - open[i].at).count());
        progress = now;
      }
      if (now - progress > kPatience) watched_ = Status(StatusCode::kUnavailable, "the index does not follow");
    }
  }

  Store* const store_;
  const std::string source_, index_;
  const int rows_;
  const double per_second_;
  std::mutex mu_;
  std::deque<Deleted> open_;  // guarded by mu_
  bool ended_ = false;        // guarded by mu_
  std::vector<double> took_;
  Status watched_;
};

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: late_bench URL SOURCE INDEX ROWS DELETES_PER_SECOND\n");
    return 64;
  }
  auto store = fensi::store::OpenStore(argv[1], {.connections = 2});
  if (!store.ok()) return 70;
  fensi::store::Bench bench(store->get(), argv[2], argv[3], std::atoi(argv[4]), std::atof(argv[5]));
  const fensi::Status end = bench.Run();
  if (!end.ok()) std::fprintf(stderr, "late_bench: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
