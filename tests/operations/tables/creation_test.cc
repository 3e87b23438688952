// Which tables `fensi create` makes, and which it leaves alone.
#include "operations/tables/creation.h"

#include <gmock/gmock.h>

#include "mapping/environment.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class CreationTest : public ::testing::Test {
 protected:
  Status Create(const CreationOptions& options) {
    return Creation(store_, options).Run(world_.mappings, {world_.index});
  }
  bool HasTable(const std::string& table) const { return (*store_->DescribeTable(table)).has_value(); }

  RecordedConsole console_;
  const BegunIndex world_;  // for its mapping
  std::shared_ptr<store::Store> store_ = store::OpenMemoryStore(SystemClock()).value();
};

TEST_F(CreationTest, APlanCreatesNothing) {
  EXPECT_TRUE(Create({}).ok());
  EXPECT_FALSE(HasTable("i"));
  EXPECT_THAT(console_.TakeData(), HasSubstr("table i: to be created"));
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("with --execute to create what is missing (3)"));
}

TEST_F(CreationTest, CreatesWhatIsMissing) {
  EXPECT_TRUE(Create({.execute = true}).ok());
  for (const std::string& table : {std::string("i"), world_.index->state_table(), std::string("fensi_meta")}) {
    EXPECT_TRUE(HasTable(table)) << table;
  }
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("create: 3 created"));
  EXPECT_TRUE(Create({.execute = true}).ok());
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("create: nothing is missing"));
}

TEST_F(CreationTest, CreatesNothingBesideATableThatCannotBeUsed) {
  ASSERT_TRUE(store_->CreateTable({"i", {{"another"}}}, {}).ok());
  const Status refused = Create({.execute = true});
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("fensi changes no existing table or topic"));
  EXPECT_FALSE(HasTable(world_.index->state_table()));
}

// The drop would delete what `fensi create` has just made.
TEST_F(CreationTest, CreatesNothingOfAnIndexThatIsBeingDropped) {
  const meta::IndexRecord record = world_.record("i");
  ASSERT_TRUE(record.Retire(world_.incarnation, "drop").ok());
  ASSERT_TRUE(world_.store->DropTable("i").ok());
  const Status refused = Creation(world_.store, {.execute = true}).Run(world_.mappings, {world_.index});
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("is being dropped"));
  EXPECT_FALSE(world_.HasTable("i"));
}

TEST_F(CreationTest, LinesForTheShellSayThatNobodyWasAsked) {
  EXPECT_TRUE(Create({.shell_lines = true}).ok());
  const std::string lines = console_.TakeData();
  EXPECT_THAT(lines, HasSubstr("No store was read"));
  EXPECT_THAT(lines, HasSubstr("create \"i\""));
}

}  // namespace
}  // namespace fensi::operations
