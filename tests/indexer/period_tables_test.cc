// Tables per period: made when they are needed, whoever is first.
#include "indexer/period_tables.h"

#include <gtest/gtest.h>

#include "indexer/tables.h"
#include "store/open_store.h"
#include "support/visits.h"
#include "support/world.h"
#include "tests/store/faulty_store.h"

namespace fensi::testing {
namespace {

using store::FaultyStore;

class PeriodTablesTest : public ::testing::Test {
 protected:
  /// Another daemon makes the table when this one is about to.
  void LetAnotherBeFaster() {
    faulty_.SetObserver([this](FaultyStore::Call call, const std::string& table) {
      if (call != FaultyStore::Call::kCreateTable) return Status();
      return memory_->CreateTable(indexer::IndexTablePlan(*index_, table).table, {});
    });
  }

  static std::unique_ptr<store::Store> OpenMemory() {
    auto opened = store::OpenMemoryStore(SystemClock());
    return std::move(*opened);
  }

  const std::unique_ptr<store::Store> memory_ = OpenMemory();
  FaultyStore faulty_{memory_.get()};
  const std::shared_ptr<const mapping::Index> index_ = VisitsIndex("daily");
  indexer::PeriodTables tables_{index_.get(), &faulty_};
};

TEST_F(PeriodTablesTest, AreMadeOnceWithTheFamiliesOfTheIndex) {
  EXPECT_FALSE(*tables_.IsThere("daily20161219"));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  EXPECT_EQ(faulty_.Calls(FaultyStore::Call::kCreateTable), 1);
  EXPECT_EQ((*memory_->DescribeTable("daily20161219"))->families.at(0).name, "v");
}

TEST_F(PeriodTablesTest, ThatAnotherDaemonMakesAtTheSameTimeAreTakenAsTheyAre) {
  LetAnotherBeFaster();
  EXPECT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  EXPECT_EQ(faulty_.Calls(FaultyStore::Call::kCreateTable), 1);
  EXPECT_TRUE(*tables_.IsThere("daily20161219"));
}

TEST_F(PeriodTablesTest, ThatCannotBeMadeAreNamed) {
  faulty_.FailCall(1, FaultyStore::When::kBefore, Status(StatusCode::kPermission, "no"),
                   FaultyStore::Call::kCreateTable);
  const Status status = tables_.RequireForPuts("daily20161219");
  EXPECT_EQ(status.code(), StatusCode::kPermission);
  EXPECT_NE(status.message().find("period table daily20161219"), std::string::npos) << status.message();
}

TEST(PeriodTables, AVersionDeleteThatDeletesNothingLeavesAnEntryOlderThanKeep) {
  constexpr int64_t kDay = 86'400'000;
  TestClock clock;
  auto opened = store::OpenMemoryStore(&clock);
  const std::unique_ptr<store::Store> store = std::move(*opened);
  const std::shared_ptr<const mapping::Index> index = VisitsIndex("daily");
  Must(store->CreateTable(indexer::StateTablePlan(*index, {}).table, {}));
  Must(store->CreateTable({"visits", {{.name = "v"}}}, {}));
  consumer::MemoryDeadLetters letters;
  indexer::Counters counters;
  const indexer::MaintainerContext context{.index = index.get(),
                                           .store = store.get(),
                                           .dead_letters = &letters,
                                           .counters = &counters,
                                           .read_source = true,
                                           .clock = &clock};
  const auto assignment = std::make_shared<TestAssignment>();
  indexer::Maintainer maintainer(context, assignment, true);
  int64_t offset = 0;
  const auto tells = [&](std::vector<Cell> cells, CellType type) {
    for (Cell& cell : cells) cell.type = type;
    const ChangeEvent event{
        .table = "visits", .row = "r", .cells = cells, .sequence_id = 1 + static_cast<uint64_t>(offset)};
    WriteCells(event, "visits", store.get());
    consumer::Batch batch{.assignment = assignment, .next_offset = offset + 1};
    batch.records.push_back({.offset = offset++, .event = event});
    Must(maintainer.Apply(batch));
    if (maintainer.second_look()) Must(maintainer.LookAgain(batch));
  };
  clock.Set(100 * kDay);
  tells({{"v", "time", 5, CellType::kPut, std::to_string(100 * kDay)},
         {"v", "user", 5, CellType::kPut, "u"},
         {"v", "url", 5, CellType::kPut, "x"}},
        CellType::kPut);
  clock.Set(200 * kDay);
  tells({{"v", "url", 7}}, CellType::kDelete);
  EXPECT_GT(counters.source_reads, 0);
  EXPECT_EQ(store->Scan("daily19700411", {})->size(), 1u);
  EXPECT_EQ(letters.letters().size(), 0u);
}

}  // namespace
}  // namespace fensi::testing
