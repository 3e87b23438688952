// Tables per period: made when they are needed, whoever is first.
#include "indexer/period_tables.h"

#include <gtest/gtest.h>

#include "indexer/tables.h"
#include "store/open_store.h"
#include "support/visits.h"
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

}  // namespace
}  // namespace fensi::testing
