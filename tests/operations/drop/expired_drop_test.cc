// What `fensi drop --expired` shows and drops.
#include <gmock/gmock.h>

#include "operations/drop/dropping.h"
#include "tests/operations/support/period_world.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class ExpiredDropTest : public ::testing::Test {
 protected:
  ExpiredDropTest() {
    for (const char* table : {"visits_20161101", "visits_20161219"}) world_.MakePeriod(table);
  }
  ExpiredDrop Expired() {
    const std::shared_ptr<store::Store> borrowed(std::shared_ptr<void>(), world_.memory.get());
    return ExpiredDrop(world_.index, borrowed, {}, ExpiryOptions(), &world_.clock);
  }

  RecordedConsole console_;
  PeriodWorld world_;
};

TEST_F(ExpiredDropTest, APlanNamesWhatReadersLoseAndDropsNothing) {
  EXPECT_TRUE(Expired().ShowPlan().ok());
  const std::string plan = console_.TakeData();
  EXPECT_THAT(plan, HasSubstr("table visits_20161101: its period ended with 2016-11-01T23:59:59"));
  EXPECT_THAT(plan, HasSubstr(": to be dropped\nreaders: "));
  EXPECT_THAT(plan, ::testing::Not(HasSubstr("visits_20161219")));
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("'retention: 30d' and an hour"));
  EXPECT_TRUE(world_.HasTable("visits_20161101"));
}

TEST_F(ExpiredDropTest, DropsOnlyTablesOfPeriodsThatAreOver) {
  EXPECT_TRUE(Expired().Execute().ok());
  EXPECT_EQ(console_.TakeData(), "table visits_20161101: dropped\n");
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("are gone. Index visits keeps its other tables"));
  EXPECT_FALSE(world_.HasTable("visits_20161101"));
  EXPECT_TRUE(world_.HasTable("visits_20161219"));
  EXPECT_TRUE(Expired().Execute().ok());
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("drop: nothing to do"));
}

}  // namespace
}  // namespace fensi::operations
