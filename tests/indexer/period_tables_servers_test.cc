// Two daemons that need the same new period table at the same moment, on a real HBase (FENSI_TEST_HBASE).
#include <gtest/gtest.h>
#include <unistd.h>

#include <barrier>
#include <cstdlib>
#include <thread>

#include "indexer/tables.h"
#include "store/open_store.h"
#include "store/retrying_store.h"
#include "tests/indexer/support/visits.h"

namespace fensi::testing {
namespace {

/// What a daemon has for itself: connections, timeout, and a memory of tables.
class Daemon {
 public:
  explicit Daemon(const mapping::Index* index) : tables_(index, &store_) {}

  Status PutFirstEntry(const std::string& table, const std::string& row) {
    FENSI_RETURN_IF_ERROR(tables_.RequireForPuts(table));
    const store::RowMutation mutation{row, {{.family = "v", .qualifier = "url", .timestamp = 1, .value = "/"}}};
    return store_.Put(table, std::span(&mutation, 1)).status();
  }

  store::Store* store() { return &store_; }

 private:
  static std::unique_ptr<store::Store> Open() {
    const char* gateway = std::getenv("FENSI_TEST_HBASE");
    auto opened = store::OpenStore("thrift://" + std::string(gateway == nullptr ? "nowhere" : gateway));
    return std::move(*opened);
  }

  store::RetryingStore store_{Open(), {.give_up_after = std::chrono::minutes(2)}};
  indexer::PeriodTables tables_;
};

TEST(RealPeriodTables, AreMadeByTwoDaemonsAtOnceAndTakeTheEntriesOfBoth) {
  const auto index = VisitsIndex("race" + std::to_string(getpid()) + "_");
  Daemon first(index.get()), second(index.get());
  for (int day = 1; day <= 6; ++day) {
    const std::string table = index->table() + "2016120" + std::to_string(day);
    std::barrier together(2);
    Status other;
    std::thread thread([&] {
      together.arrive_and_wait();
      other = second.PutFirstEntry(table, "b");
    });
    together.arrive_and_wait();
    const Status one = first.PutFirstEntry(table, "a");
    thread.join();
    EXPECT_TRUE(one.ok()) << one.ToString();
    EXPECT_TRUE(other.ok()) << other.ToString();
    const auto rows = first.store()->Scan(table, {});
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    EXPECT_EQ(rows->size(), 2u);
    EXPECT_TRUE(first.store()->DropTable(table).ok());
  }
}

}  // namespace
}  // namespace fensi::testing
