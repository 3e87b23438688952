// From one unit's events to changes: versions (M4), steps (M5), doubt (M8).
#include "indexer/plan/unit_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/state/unit.h"
#include "tests/indexer/plan/planned.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::Look;
using indexer::UnitPlanner;
using indexer::UnitWork;

/// One row "r" of ValueRule: entry row = column k, value = column v.
class UnitPlannerTest : public ::testing::Test {
 protected:
  UnitPlannerTest() {
    work_.unit.row = "r";
    work_.unit.families = std::make_shared<indexer::FamilyStates>();
  }

  void Step(const std::vector<Cell>& cells, bool read_source = false) {
    std::vector<const Cell*> pointers;
    for (const Cell& cell : cells) pointers.push_back(&cell);
    const indexer::FamilyStates* families = work_.unit.families.get();
    UnitPlanner(index_.get(), read_source, &changes_, &letters_)
        .Step({.cells = pointers, .sequence_id = ++sequence_, .before = families, .after = families}, &work_);
  }
  void Step(const std::string& cell, bool read_source = false) { Step(std::vector{ParseCell(cell)}, read_source); }
  void Finish(Look look, const indexer::Snapshot& seen) {
    UnitPlanner(index_.get(), true, &changes_, &letters_).FinishDoubt(seen, look, &work_);
  }
  std::vector<std::string> Planned() { return TakeTexts(&changes_); }

  const std::shared_ptr<const mapping::Index> index_ = CompileRule(ValueRule());
  indexer::ChangeSet changes_;
  std::vector<indexer::Letter> letters_;
  UnitWork work_;
  uint64_t sequence_ = 0;
};

TEST_F(UnitPlannerTest, TheFirstVersionIsTheNewestTimeAndEachChangeRaisesIt) {
  Step("k=b@11");
  EXPECT_EQ(work_.unit.version, 11);
  Step("v=x@5");
  EXPECT_EQ(work_.unit.version, 12) << "the version before plus one, the cell being older";
  Step("v=y@30");
  EXPECT_EQ(work_.unit.version, 30);
  EXPECT_TRUE(work_.dirty);
}

TEST_F(UnitPlannerTest, AnEventThatIsToldAgainChangesNothing) {
  const std::vector<Cell> event = {ParseCell("k=b@11")};
  Step(event);
  Planned();
  work_.dirty = false;
  --sequence_;
  Step(event);
  EXPECT_EQ(work_.unit.version, 11);
  EXPECT_FALSE(work_.dirty);
  EXPECT_TRUE(changes_.empty());
}

TEST_F(UnitPlannerTest, APutOfAnUnknownColumnThatItsFamilysMarkerHidesChangesNothing) {
  work_.unit.families->FindOrAdd("f")->DeleteFamily(20, 9);
  Step("k=b@11");
  EXPECT_EQ(work_.unit.version, indexer::kNoTime);
  EXPECT_TRUE(work_.unit.columns.empty());
  EXPECT_FALSE(work_.dirty);
}

TEST_F(UnitPlannerTest, AStateStaysWithinItsBoundAndWhatThatCostsIsReported) {
  const std::string large(indexer::kMaxKeptValueBytes - 1, 'x');
  Step({{.family = "f", .qualifier = "k", .timestamp = 11, .value = large}});
  Step({{.family = "f", .qualifier = "v", .timestamp = 12, .value = large}});
  EXPECT_LE(indexer::StateBytes(work_.unit), indexer::kMaxUnitBytes);
  ASSERT_FALSE(letters_.empty());
  EXPECT_THAT(letters_.back().reason, HasSubstr("for all values of the row"));
}

TEST_F(UnitPlannerTest, AMovedEntryIsPutAtTheNewVersionAndRemovedAtTheOld) {
  Step("k=b@11");
  Planned();
  Step("k=c@12");
  EXPECT_THAT(Planned(), ElementsAre("put inverse/c f:r=none@12", "remove inverse/b f:r@11"));
}

TEST_F(UnitPlannerTest, AColumnDeleteRemovesTheEntry) {
  Step("k=b@11");
  Planned();
  Step("DC:k@11");
  EXPECT_EQ(work_.unit.version, 12);
  EXPECT_THAT(Planned(), ElementsAre("remove inverse/b f:r@11"));
}

TEST_F(UnitPlannerTest, AVersionDeleteWithASourceTableWaitsForALook) {
  Step("k=b@11", true);
  Planned();
  Step("D:k@11", true);
  EXPECT_TRUE(work_.doubtful);
  EXPECT_TRUE(work_.unit.doubted);
  EXPECT_THAT(Planned(), IsEmpty());
}

TEST_F(UnitPlannerTest, ALookRemovesWhatMayBeThereAndPutsWhatTheSourceShowsAboveIt) {
  Step("k=b@11", true);
  Planned();
  Step("D:k@11", true);
  const int64_t version = UnitPlanner::LookVersion(work_, Look::kFirst);
  EXPECT_EQ(version, work_.unit.version - 1) << "the second look has one of its own";
  EXPECT_EQ(UnitPlanner::LookVersion(work_, Look::kSecond), work_.unit.version);
  Finish(Look::kFirst, {.cells = {{"f", "k", 9, "old"}}});
  EXPECT_THAT(Planned(), ElementsAre("put inverse/old f:r=none@" + std::to_string(version),
                                     "remove inverse/b f:r@" + std::to_string(version)));
  EXPECT_FALSE(work_.doubtful);
  EXPECT_TRUE(work_.unit.reserved);
  EXPECT_TRUE(work_.unit.doubt.active()) << "the registers do not know what the source showed";
}

TEST_F(UnitPlannerTest, ALookThatSeesWhatTheRegistersSaySettlesTheDoubt) {
  Step("k=b@11", true);
  Step("D:k@10", true);
  work_.doubtful = true;
  Finish(Look::kSecond, {.cells = {{"f", "k", 11, "b"}}});
  EXPECT_FALSE(work_.unit.doubt.active());
  EXPECT_FALSE(work_.unit.reserved);
}

TEST_F(UnitPlannerTest, AUnitThatWasInDoubtTakesTwoVersionsWithEveryStep) {
  work_.unit.doubted = true;
  Step("k=b@11", true);
  EXPECT_EQ(work_.unit.version, 12);
  Step("k=c@12", true);
  EXPECT_EQ(work_.unit.version, 14);
}

TEST_F(UnitPlannerTest, WithoutASourceTableVersionDeletesAreAnsweredByWhatIsKept) {
  Step("k=b@11");
  Step("k=c@12");
  Planned();
  Step("D:k@12");
  EXPECT_FALSE(work_.doubtful);
  EXPECT_THAT(Planned(), ElementsAre("put inverse/b f:r=none@13", "remove inverse/c f:r@12"));
}

TEST_F(UnitPlannerTest, WithoutASourceTableADeleteOfUnknownKindIsReported) {
  Step("k=b@11");
  Step("?:k@12");
  ASSERT_EQ(letters_.size(), 1u);
  EXPECT_THAT(letters_[0].reason, HasSubstr("delete f:k: the event does not name the deleted cells"));
  EXPECT_EQ(work_.unit.version, 11);
}

TEST_F(UnitPlannerTest, ATimeBehindWhichNoVersionFitsIsReportedAndNotApplied) {
  work_.unit.version = kMaxTimestamp - 1;
  Step("k=b@11");
  ASSERT_EQ(letters_.size(), 1u);
  EXPECT_THAT(letters_[0].reason, HasSubstr("cannot apply a later change of the row"));
  EXPECT_EQ(work_.unit.version, kMaxTimestamp - 1);
  EXPECT_TRUE(work_.unit.columns.empty());
}

TEST_F(UnitPlannerTest, AValueThatIsTooLargeIsReportedAndItsEntryGoes) {
  Step("k=b@11");
  Planned();
  Step(
      {{.family = "f", .qualifier = "v", .timestamp = 12, .value = std::string(indexer::kMaxKeptValueBytes + 1, 'x')}});
  ASSERT_EQ(letters_.size(), 1u);
  EXPECT_THAT(letters_[0].reason, HasSubstr("and a row state keeps at most"));
  EXPECT_THAT(Planned(), ElementsAre("remove inverse/b f:r@11"));
}

TEST_F(UnitPlannerTest, AnEntryOfAPeriodOutsideOfKeepIsReportedAndNotPut) {
  const Cell cell = ParseCell("k=b@11");
  const std::vector<const Cell*> cells = {&cell};
  const indexer::FamilyStates* families = work_.unit.families.get();
  UnitPlanner planner(index_.get(), false, &changes_, &letters_);
  planner.set_window(mapping::PeriodWindow(*CompileRule(PeriodRule()), 100 * kDayMillis));
  planner.Step({.cells = cells, .sequence_id = 1, .before = families, .after = families}, &work_);
  EXPECT_TRUE(changes_.empty());
  ASSERT_EQ(letters_.size(), 1u);
  EXPECT_EQ(letters_[0].kind, indexer::LetterKind::kOutsideRetention);
  EXPECT_THAT(letters_[0].reason, HasSubstr("outside of 'retention': its time is 1970-01-01"));
}

}  // namespace
}  // namespace fensi::testing
