// When the number of a read proves that the read shows every change that was received.
#include "indexer/reread_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/doubles/fake_clock.h"
#include "tests/doubles/pointed_store.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/told_log.h"

namespace fensi::testing {
namespace {

using indexer::ReceivedChanges;
using Shown = ReceivedChanges::Shown;

class ReceivedChangesTest : public ::testing::Test {
 protected:
  ReceivedChangesTest() { clock_.Advance(indexer::kVisibilityDelay); }

  consumer::Record Change(const std::string& region, uint64_t number) const {
    return {.event = {.table = "source", .row = "r", .sequence_id = number, .region = region}};
  }
  /// A batch of it alone.
  void Note(const consumer::Record& record) {
    consumer::Batch batch;
    batch.records.push_back(record);
    changes_.Note(batch, "source");
  }
  Shown Judge(const consumer::Record& record, const std::string& region, uint64_t number) const {
    return changes_.Judge(std::make_shared<ReadPoint>(ReadPoint{region, number}), record);
  }

  FakeClock clock_;
  ReceivedChanges changes_{&clock_};
};

TEST_F(ReceivedChangesTest, AReadPointAtOrAboveEveryNumberOfItsRegionProvesTheRead) {
  const consumer::Record first = Change("a", 10), later = Change("a", 12), other = Change("b", 90);
  for (const consumer::Record& record : {later, first, other}) Note(record);
  EXPECT_EQ(Judge(first, "a", 12), Shown::kAll);
  EXPECT_EQ(Judge(first, "a", 11), Shown::kNotYet);
  EXPECT_EQ(Judge(other, "b", 89), Shown::kNotYet);
  EXPECT_EQ(Judge(other, "b", 91), Shown::kAll);
}

TEST_F(ReceivedChangesTest, TheNumbersOfAnotherRegionProveNothing) {
  const consumer::Record change = Change("a", 10);
  Note(change);
  Note(Change("b", 1));
  EXPECT_EQ(Judge(change, "b", 1'000), Shown::kUnknown);
  EXPECT_EQ(changes_.Judge(nullptr, change), Shown::kUnknown);
}

TEST_F(ReceivedChangesTest, ChangesOfOtherTablesDoNotCount) {
  const consumer::Record change = Change("a", 10);
  consumer::Record other = Change("a", 99);
  other.event.table = "another";
  Note(change);
  Note(other);
  EXPECT_EQ(Judge(change, "a", 10), Shown::kAll);
}

TEST_F(ReceivedChangesTest, AChangeWithoutANumberLeavesTheNextTwoSecondsUnproven) {
  const consumer::Record change = Change("a", 10);
  for (const consumer::Record& unnumbered : {Change("a", 0), Change("", 10)}) {
    Note(change);
    EXPECT_EQ(Judge(change, "a", 10), Shown::kAll);
    Note(unnumbered);
    EXPECT_EQ(Judge(change, "a", 10), Shown::kUnknown);
    EXPECT_EQ(Judge(unnumbered, "a", 10), Shown::kUnknown);
    clock_.Advance(indexer::kVisibilityDelay);
    EXPECT_EQ(Judge(change, "a", 10), Shown::kAll);
  }
}

TEST_F(ReceivedChangesTest, ANewOwnerProvesNothingForTwoSeconds) {
  ReceivedChanges fresh(&clock_);
  consumer::Batch batch;
  batch.records.push_back(Change("a", 10));
  fresh.Note(batch, "source");
  const auto point = std::make_shared<ReadPoint>(ReadPoint{"a", 10});
  EXPECT_EQ(fresh.Judge(point, batch.records.front()), Shown::kUnknown);
  clock_.Advance(indexer::kVisibilityDelay);
  EXPECT_EQ(fresh.Judge(point, batch.records.front()), Shown::kAll);
}

TEST_F(ReceivedChangesTest, AnOldChangeIsVisibleWhateverTheNumbers) {
  consumer::Record change = Change("a", 10);
  Note(change);
  EXPECT_TRUE(changes_.any_young());
  change.old = true;
  EXPECT_EQ(Judge(change, "a", 1), Shown::kAll);
  Note(change);
  EXPECT_FALSE(changes_.any_young());
}

/// A machine whose clock is ahead of that of the producer.
TEST_F(ReceivedChangesTest, ATimestampOfLongAgoProvesNothing) {
  consumer::Record change = Change("a", 10);
  change.message_time = 1;
  clock_.Advance(std::chrono::hours(1));
  Note(change);
  EXPECT_TRUE(changes_.any_young());
  EXPECT_EQ(Judge(change, "a", 1), Shown::kNotYet);
}

/// As after the restore of a snapshot.
TEST_F(ReceivedChangesTest, NumbersThatBeginAgainProveNewChangesAfterTwoMinutes) {
  Note(Change("a", 1'000'000));
  clock_.Advance(indexer::kLongestWait);
  Note(Change("a", 7));
  EXPECT_EQ(Judge(Change("a", 7), "a", 9), Shown::kNotYet);
  clock_.Advance(indexer::kLongestWait);
  Note(Change("a", 8));
  EXPECT_EQ(Judge(Change("a", 8), "a", 9), Shown::kAll);
  EXPECT_EQ(Judge(Change("a", 8), "a", 7), Shown::kNotYet);
}

TEST_F(ReceivedChangesTest, NumbersOfLongAgoDoNotCount) {
  Note(Change("a", 1'000'000));
  clock_.Advance(10 * indexer::kLongestWait);
  Note(Change("a", 7));
  EXPECT_EQ(Judge(Change("a", 7), "a", 9), Shown::kAll);
}

TEST_F(ReceivedChangesTest, MoreRegionsThanATableHasAreForgotten) {
  const consumer::Record change = Change("a", 10);
  Note(change);
  consumer::Batch batch;
  for (size_t i = 0; i < ReceivedChanges::kMostRegions; ++i) batch.records.push_back(Change(std::to_string(i), 1));
  changes_.Note(batch, "source");
  EXPECT_EQ(Judge(change, "a", 10), Shown::kUnknown);
}

/// An event that is in doubt, applied while the source shows it late. The value is the doubt's outcome.
class ShownTest : public ::testing::TestWithParam<Rule> {};

TEST_P(ShownTest, AReadThatShowsTheChangeIsNotRepeated) {
  World world(GetParam(), true);
  world.TellReadPoints(/*catches_up=*/false);
  ToldLog log(&world);
  const auto owner = world.NewMaintainer(true);
  log.Happens("k=a@10");
  log.Happens("?:k@11");
  Must(owner->Apply(log.From(0)));
  EXPECT_FALSE(owner->second_look());
  EXPECT_EQ(world.Difference(), "");
}

TEST_P(ShownTest, AReadThatComesTooEarlyIsRepeatedUntilItShowsTheChange) {
  World world(GetParam(), true);
  world.TellReadPoints(/*catches_up=*/true);
  ToldLog log(&world);
  const auto owner = world.NewMaintainer(true);
  log.Happens("k=a@10");
  world.ShowSourceLate(3);
  log.Happens("?:k@11");
  log.Happens("k=b@12", "other");
  log.Happens("k=c@12", "another");
  Must(owner->Apply(log.From(0)));
  EXPECT_FALSE(owner->second_look());
  world.ShowSource();
  EXPECT_EQ(world.Difference(), "");
}

/// A batch in doubt that the source shows too late for its first re-read.
class LateShown {
 public:
  explicit LateShown(const Rule& rule) : world_(rule, true) {
    world_.TellReadPoints(/*catches_up=*/false);
    owner_ = world_.NewMaintainer(true);
    log_.Happens("k=a@10");
    world_.ShowSourceLate(1);
    log_.Happens("?:k@11");
    batch_ = log_.From(0);
    Must(owner_->Apply(batch_));
  }
  void PassToReread() {
    ASSERT_TRUE(owner_->second_look());
    world_.clock()->Advance(*owner_->second_look() - world_.clock()->MonotonicNow());
    Must(owner_->RereadSource(batch_));
  }

  World world_;
  ToldLog log_{&world_};
  std::unique_ptr<indexer::IndexMaintainer> owner_;
  consumer::Batch batch_;
};

TEST_P(ShownTest, ARereadThatComesTooEarlyIsFollowedByAnother) {
  LateShown late(GetParam());
  for (int round = 0; round < 3; ++round) {
    late.PassToReread();
    ASSERT_TRUE(late.owner_->second_look()) << "the offset must not move";
  }
  late.world_.ShowSource();
  late.PassToReread();
  EXPECT_FALSE(late.owner_->second_look());
  EXPECT_EQ(late.world_.Difference(), "");
}

TEST_P(ShownTest, AChangeThatIsNeverVisibleHoldsTheBatchForAMinute) {
  LateShown late(GetParam());
  const auto begin = late.world_.clock()->MonotonicNow();
  int rounds = 0;
  for (; late.owner_->second_look() && rounds < 100; ++rounds) late.PassToReread();
  EXPECT_FALSE(late.owner_->second_look());
  EXPECT_GE(late.world_.clock()->MonotonicNow() - begin, indexer::kLongestWait - std::chrono::seconds(1));
  EXPECT_LE(late.world_.clock()->MonotonicNow() - begin, indexer::kLongestWait + std::chrono::seconds(5));
}

INSTANTIATE_TEST_SUITE_P(Schemes, ShownTest, ::testing::Values(ValueRule(), MirrorValueRule()), RuleName);

TEST(MirrorShownTest, AnOldEventDoesNotProveTheReadOfAYoungOne) {
  World world(MirrorValueRule(), true);
  world.TellReadPoints(/*catches_up=*/false);
  const auto owner = world.NewMaintainer(true);
  ToldLog log(&world);
  log.Happens("k=a@10");
  world.ShowSourceLate(2);
  log.Happens("?:k@11");
  log.Happens("?:k@11");
  consumer::Batch batch = log.From(0);
  batch.records.back().old = true;
  Must(owner->Apply(batch));
  EXPECT_TRUE(owner->second_look());
}

}  // namespace
}  // namespace fensi::testing
