// M10 on a real HBase: an index table made by the plan of `fensi create` keeps its delete markers through a major
// compaction, so that a late put below one stays hidden; without the delay it would come back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "indexer/tables.h"
#include "store/open_store.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/world.h"
#include "tests/store/contract/stack_admin.h"

namespace fensi::testing {
namespace {

class PurgeDelay : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* gateway = std::getenv("FENSI_TEST_HBASE");
    const char* admin = std::getenv("FENSI_TEST_ADMIN");
    ASSERT_TRUE(gateway != nullptr && admin != nullptr) << "tests/run starts the servers";
    admin_ = std::make_unique<store::StackAdmin>(admin);
    auto opened = store::OpenStore(std::string("thrift://") + gateway);
    Must(opened.status());
    store_ = std::move(*opened);
    const auto index = CompileRule(ValueRule());
    table_ = indexer::IndexTablePlan(*index, "purge_delay_" + std::to_string(getpid())).table;
  }
  void TearDown() override { (void)store_->DropTable(table_.name); }

  /// Put, removal, major compaction, late put of the same cell; is it shown?
  bool LatePutIsShown() {
    Must(store_->CreateTable(table_, {}));
    const int64_t now = SystemClock()->WallMillis();
    const store::RowMutation put{"r", {{.family = "f", .qualifier = "q", .timestamp = now, .value = "v"}}};
    const store::RowMutation removal{
        "r", {{.family = "f", .qualifier = "q", .timestamp = now, .type = CellType::kDeleteColumn}}};
    Must(store_->Put(table_.name, {&put, 1}).status());
    Must(store_->Delete(table_.name, {&removal, 1}).status());
    Must(admin_->Run("flush " + table_.name));
    Must(admin_->Run("compact " + table_.name));
    Must(store_->Put(table_.name, {&put, 1}).status());
    const auto rows = store_->Scan(table_.name, {});
    Must(rows.status());
    return !rows->empty();
  }

  std::unique_ptr<store::StackAdmin> admin_;
  std::unique_ptr<store::Store> store_;
  store::TableDescriptor table_;
};

TEST_F(PurgeDelay, KeepsAMarkerAboveALateCallThroughAMajorCompaction) { EXPECT_FALSE(LatePutIsShown()); }

TEST_F(PurgeDelay, IsWhatKeepsIt) {
  for (store::FamilyDescriptor& family : table_.families) family.configuration.clear();
  EXPECT_TRUE(LatePutIsShown());
}

}  // namespace
}  // namespace fensi::testing
