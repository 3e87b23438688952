// A batch whose states are loaded, event by event: markers first, then the units that each event concerns.
#include "indexer/plan/batch_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/indexer/plan/planned.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

class BatchPlannerTest : public ::testing::Test {
 protected:
  /// One event of row "r"; its state is what the events before left.
  std::vector<std::string> Plan(const Rule& rule, const std::vector<Cell>& cells) {
    if (index_ == nullptr) index_ = CompileRule(rule);
    indexer::PlannedEvent event{.row = &row_};
    for (const Cell& cell : cells) (IsFamilyMarker(cell.type) ? event.markers : event.cells).push_back(&cell);
    indexer::BatchPlanner planner(index_.get(), false, &changes_, &letters_, [this] { return MayGoOn(); });
    planned_ = planner.Plan(event, ++sequence_);
    return TakeTexts(&changes_);
  }
  std::vector<std::string> Plan(const Rule& rule, const std::string& cell) {
    return Plan(rule, std::vector{ParseCell(cell)});
  }

  Status MayGoOn() { return units_left_-- > 0 ? Status() : Status(StatusCode::kCancelled, "asked to stop"); }

  Status planned_;
  int units_left_ = 1000;
  std::shared_ptr<const mapping::Index> index_;
  indexer::RowWork row_{.row = "r"};
  indexer::ChangeSet changes_;
  std::vector<indexer::Letter> letters_;
  uint64_t sequence_ = 0;
};

TEST_F(BatchPlannerTest, AllCellsOfARowUnitAreOneStep) {
  EXPECT_THAT(Plan(ValueRule(), {ParseCell("k=b@11"), ParseCell("v=x@11")}), ElementsAre("put inverse/b f:r=x@11"));
}

TEST_F(BatchPlannerTest, EachColumnOfAnEventIsAStepOfItsUnit) {
  EXPECT_THAT(Plan(QualifierRule(), {ParseCell("b=1@12"), ParseCell("a=1@11"), ParseCell("b=2@13")}),
              ElementsAre("put inverse/a f:r=11@11", "put inverse/b f:r=13@13"));
  EXPECT_EQ(row_.units.size(), 2u);
}

TEST_F(BatchPlannerTest, AStopEndsAnEventBetweenTwoOfItsUnits) {
  units_left_ = 1;
  Plan(QualifierRule(), {ParseCell("a=1@11"), ParseCell("b=1@12")});
  EXPECT_EQ(planned_.code(), StatusCode::kCancelled);
  EXPECT_EQ(row_.units.at("f:a").unit.version, 11);
  EXPECT_FALSE(row_.units.contains("f:b") && row_.units.at("f:b").dirty);
}

TEST_F(BatchPlannerTest, AFamilyDeleteRemovesTheEntriesOfEveryUnitOfTheRow) {
  Plan(QualifierRule(), {ParseCell("a=1@11"), ParseCell("b=1@13")});
  EXPECT_THAT(Plan(QualifierRule(), "DF@12"), ElementsAre("remove inverse/a f:r@11"));
  EXPECT_EQ(row_.families->version, 12);
  EXPECT_TRUE(row_.families_dirty) << "column units share the markers, which have a cell of their own";
}

TEST_F(BatchPlannerTest, AUnitWhoseStateIsNotWrittenForgetsNothing) {
  Plan(QualifierRule(), "a=1@11");
  row_.units.at("f:a").dirty = false;
  Plan(QualifierRule(), "DF@12");
  EXPECT_FALSE(row_.units.at("f:a").dirty);
  EXPECT_EQ(row_.units.at("f:a").unit.columns.size(), 1u) << "another owner reads it in the state table";
}

TEST_F(BatchPlannerTest, AFamilyDeleteOfARowUnitIsPartOfItsState) {
  Plan(ValueRule(), "k=b@11");
  EXPECT_THAT(Plan(ValueRule(), "DF@12"), ElementsAre("remove inverse/b f:r@11"));
  EXPECT_FALSE(row_.families_dirty);
  EXPECT_TRUE(row_.units.at("").dirty);
}

TEST_F(BatchPlannerTest, AMarkerAndAPutOfOneEventAreOneStep) {
  Plan(ValueRule(), "k=b@11");
  EXPECT_THAT(Plan(ValueRule(), {ParseCell("DF@12"), ParseCell("k=c@13")}),
              ElementsAre("put inverse/c f:r=none@13", "remove inverse/b f:r@11"));
}

TEST_F(BatchPlannerTest, AMarkerThatIsToldAgainRaisesNoVersion) {
  Plan(QualifierRule(), "DF@12");
  row_.families_dirty = false;
  --sequence_;
  EXPECT_THAT(Plan(QualifierRule(), "DF@12"), IsEmpty());
  EXPECT_EQ(row_.families->version, 12);
  EXPECT_FALSE(row_.families_dirty);
}

TEST_F(BatchPlannerTest, TheVersionOfTheMarkersRisesEvenWithOlderOnes) {
  Plan(QualifierRule(), "DFV@12");
  Plan(QualifierRule(), "DF@5");
  EXPECT_EQ(row_.families->version, 13);
}

TEST_F(BatchPlannerTest, MarkersBehindWhichNoVersionFitsAreReportedAndNotApplied) {
  row_.families->version = kMaxTimestamp;
  EXPECT_THAT(Plan(QualifierRule(), "DF@12"), IsEmpty());
  ASSERT_EQ(letters_.size(), 1u);
  EXPECT_THAT(letters_[0].reason, HasSubstr("the versions of the row's family deletes have reached"));
  EXPECT_EQ(row_.families->Newest(), indexer::kNoTime);
}

}  // namespace
}  // namespace fensi::testing
