// What `fensi convert` says and does of an index with states.
#include "operations/convert/converting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "indexer/index_meta.h"
#include "mapping/diagnostics.h"
#include "mapping/mapping.h"
#include "operations/tables/table_plan.h"
#include "store/open_store.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class ConvertingTest : public ::testing::Test {
 protected:
  ConvertingTest() {
    EXPECT_TRUE(store_->CreateTable({"s", {{"f1"}}}, {}).ok());
    EXPECT_TRUE(CreateTables(*PlanTables(*stateful_, store_.get()), store_.get()).ok());
    EXPECT_TRUE(indexer::IndexMeta(stateful_.get(), store_.get()).Open().ok());
  }

  static std::shared_ptr<const mapping::Index> IndexWith(const std::string& mode) {
    mapping::Diagnostics diagnostics;
    const auto mappings = mapping::Load({{"m.yaml",
                                          "source: s\nindexes:\n  i:\n    table: i\n    row: '{row}'\n"
                                          "    columns: { 'f1:b': '{f1:a}' }\n    mode: " +
                                              mode + "\n"}},
                                        &diagnostics);
    EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
    return mappings.at(0).indexes.at(0);
  }
  Status Convert(bool execute) {
    ConvertOptions options;
    options.execute = execute;
    return Converting(stateless_, store_, std::move(options)).Run();
  }
  bool StatelessMayBegin() { return indexer::IndexMeta(stateless_.get(), store_.get()).Open().ok(); }

  RecordedConsole console_;
  const std::shared_ptr<store::Store> store_ = store::OpenMemoryStore(SystemClock()).value();
  const std::shared_ptr<const mapping::Index> stateful_ = IndexWith("stateful"), stateless_ = IndexWith("stateless");
};

TEST_F(ConvertingTest, APlanChangesNothing) {
  EXPECT_TRUE(Convert(false).ok());
  EXPECT_THAT(console_.TakeData(), HasSubstr("index i: kept with states\n  0 states, up to version 0: to be removed"));
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("nothing was changed"));
  EXPECT_FALSE(StatelessMayBegin());
}

TEST_F(ConvertingTest, AfterwardsTheIndexIsStateless) {
  EXPECT_TRUE(Convert(true).ok());
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("0 states removed; index i is stateless"));
  EXPECT_TRUE(StatelessMayBegin());
  EXPECT_TRUE(Convert(true).ok());
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("nothing to do: index i is stateless"));
}

}  // namespace
}  // namespace fensi::operations
