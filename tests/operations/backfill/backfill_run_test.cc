// When a backfill begins to scan, and when it says that the index is live: both follow from the index's watermark, and
// the second one from its owners, too (M16).
#include "operations/backfill/backfill_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "indexer/meta_row.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/sweep/support/backfill_world.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;
using sweep::MustBe;

constexpr char kIncarnation[] = "0123456789abcdef";
constexpr int kRows = 20;

/// Owners that apply what a test says.
class ToldOwners final : public Owners {
 public:
  class Counting final : public sweep::RequestSink {
   public:
    Counting(ToldOwners* owners, std::function<Status()> go_on) : owners_(owners), go_on_(std::move(go_on)) {}
    Status Send(const consumer::Request&) override {
      ++owners_->sent;
      return {};
    }
    Status Flush() override {
      while (owners_->silent) {
        FENSI_RETURN_IF_ERROR(go_on_());
        std::this_thread::sleep_for(milliseconds(10));
      }
      return {};
    }

   private:
    ToldOwners* const owners_;
    const std::function<Status()> go_on_;
  };

  const std::string& incarnation() const override { return incarnation_; }
  std::string Text() const override { return "nobody"; }
  void Bound(sweep::RowSnapshotOptions*) const override {}
  Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) override {
    return std::unique_ptr<sweep::RequestSink>(std::make_unique<Counting>(this, std::move(go_on)));
  }
  Result<Offsets> Ends() const override { return Offsets{{0, sent}}; }
  Result<int64_t> Waiting(const Offsets& ends) const override { return ends.at(0) - std::min(ends.at(0), +applied); }

  std::atomic<int64_t> sent{0}, applied{0};
  std::atomic<bool> silent{false};  // the broker acknowledges nothing

 private:
  const std::string incarnation_ = kIncarnation;
};

class BackfillRunTest : public ::testing::Test {
 protected:
  BackfillRunTest() {
    world_.PutRows(kRows);
    MustBe(Record().Register({.incarnation = kIncarnation}));
    made_at_ = SystemClock()->WallMillis() - 60'000;  // the scan begins later, by more than clocks tell apart
    const auto job = JoinJob(world_.Row(), wish_, kIncarnation, {{"", ""}}, made_at_, "");
    MustBe(job.status());
    job_ = job->name;
  }
  ~BackfillRunTest() override {  // whatever failed, the run comes to its end
    owners_.silent = false;
    owners_.applied = INT64_MAX;
    MarkAt(SystemClock()->WallMillis() + 20'000);
  }

  meta::IndexRecord Record() {
    return meta::IndexRecord({Store(), "fensi_meta", meta::IndexRow(Index().name()), SystemClock()});
  }
  store::Store* Store() { return world_.world().store(); }
  const mapping::Index& Index() { return world_.world().index(); }
  void MarkAt(int64_t time) { MustBe(Record().NoteComplete(kIncarnation, time)); }
  meta::Phase Phase() { return Record().Read().value()->phase; }

  std::future<Status> Run() {
    return std::async(std::launch::async, [this] {
      const std::shared_ptr<store::Store> borrowed(std::shared_ptr<void>(), Store());
      BackfillRun run(&Index(), borrowed, &owners_, sweep::Board(world_.Row(), job_), Record(), wish_, {.workers = 1});
      return run.Run();
    });
  }
  /// Nothing happens in that time, or it would have.
  static void Rest() { std::this_thread::sleep_for(milliseconds(1'000)); }
  static bool Ends(const std::future<Status>& run) {
    return run.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  }

  sweep::BackfillWorld world_;
  BackfillWish wish_;
  ToldOwners owners_;
  int64_t made_at_ = 0;
  std::string job_;
};

TEST_F(BackfillRunTest, AnIndexThatIsMadeAgainEndsItWhateverItsMarkIs) {
  for (const bool dropped : {false, true}) {
    MarkAt(made_at_);
    auto run = Run();
    if (dropped) {
      MustBe(Record().NoteDropped("fedcba9876543210"));
    } else {
      MustBe(Record().Register({.incarnation = "fedcba9876543210"}));
      MustBe(Record().NoteMarks("fedcba9876543210", {{{0, SystemClock()->WallMillis()}}, 1, "markers"}).status());
    }
    ASSERT_TRUE(Ends(run));
    const Status ended = run.get();
    EXPECT_EQ(ended.code(), StatusCode::kConfiguration);
    const std::string happened = dropped ? "was dropped, or its record was deleted" : "was dropped and created again";
    EXPECT_NE(ended.message().find(happened), std::string::npos) << ended.message();
    EXPECT_NE(ended.message().find(" and meta table "), std::string::npos) << "the table that was read";
  }
}

TEST_F(BackfillRunTest, AJobThatWasReplacedEndsAWaitForABrokerThatIsSilent) {
  MarkAt(SystemClock()->WallMillis() + 20'000);
  owners_.silent = true;
  auto run = Run();
  while (owners_.sent < kRows) ASSERT_NE(run.wait_for(milliseconds(10)), std::future_status::ready);
  wish_.again = true;
  MustBe(sweep::Board(world_.Row(), job_).End(1));
  MustBe(JoinJob(world_.Row(), wish_, kIncarnation, {{"", ""}}, made_at_ + 1, "").status());
  ASSERT_TRUE(Ends(run));
  const Status ended = run.get();
  EXPECT_EQ(ended.code(), StatusCode::kConfiguration) << ended.message();
  EXPECT_THAT(ended.message(), ::testing::HasSubstr("another job replaced it"));
}

TEST_F(BackfillRunTest, NothingIsScannedBeforeTheMarkHasPassedTheJob) {
  MarkAt(made_at_);
  auto run = Run();
  Rest();
  EXPECT_EQ(owners_.sent, 0) << "what changes behind the scan might reach no stream";
  MarkAt(made_at_ + 1);
  owners_.applied = kRows;
  while (owners_.sent < kRows) ASSERT_NE(run.wait_for(milliseconds(10)), std::future_status::ready);
  MarkAt(SystemClock()->WallMillis() + 20'000);
  ASSERT_TRUE(Ends(run));
  EXPECT_TRUE(run.get().ok());
  EXPECT_EQ(Phase(), meta::Phase::kLive);
}

TEST_F(BackfillRunTest, TheIndexIsLiveOnlyWhenItsOwnersHaveAppliedAll) {
  MarkAt(SystemClock()->WallMillis() + 20'000);
  owners_.applied = kRows - 1;
  auto run = Run();
  while (owners_.sent < kRows) ASSERT_NE(run.wait_for(milliseconds(10)), std::future_status::ready);
  Rest();
  EXPECT_EQ(Phase(), meta::Phase::kBuilding);
  owners_.applied = kRows;
  ASSERT_TRUE(Ends(run));
  EXPECT_TRUE(run.get().ok());
  EXPECT_EQ(Phase(), meta::Phase::kLive);
}

TEST_F(BackfillRunTest, AJobThatIsCancelledEndsTheWaitForItsOwnersAndForTheMark) {
  for (const int64_t applied : {kRows - 1, 2 * kRows}) {
    owners_.sent = 0;
    owners_.applied = applied;
    MarkAt(made_at_ + 1);
    auto run = Run();
    while (owners_.sent < kRows) ASSERT_NE(run.wait_for(milliseconds(10)), std::future_status::ready);
    Rest();
    MustBe(SteerJob(world_.Row(), wish_.OfJob(""), Index().name(), sweep::Wish::kCancel));
    ASSERT_TRUE(Ends(run));
    EXPECT_EQ(run.get().code(), StatusCode::kCancelled);
    EXPECT_EQ(Phase(), meta::Phase::kBuilding);
    wish_.again = true;
    const auto job = JoinJob(world_.Row(), wish_, kIncarnation, {{"", ""}}, made_at_, "");
    MustBe(job.status());
    job_ = job->name;
  }
}

TEST_F(BackfillRunTest, TheIndexIsLiveOnlyWhenTheMarkHasPassedTheEnd) {
  MarkAt(made_at_ + 1);
  owners_.applied = kRows;
  auto run = Run();
  while (owners_.sent < kRows) ASSERT_NE(run.wait_for(milliseconds(10)), std::future_status::ready);
  Rest();
  EXPECT_EQ(Phase(), meta::Phase::kBuilding) << "the stream may be behind the scan";
  MarkAt(SystemClock()->WallMillis() + 20'000);
  ASSERT_TRUE(Ends(run));
  EXPECT_TRUE(run.get().ok());
  EXPECT_EQ(Phase(), meta::Phase::kLive);
}

TEST_F(BackfillRunTest, WhatIsWaitedForIsTold) {
  MustBe(Store()->CreateTable({.name = Index().state_table(), .families = {{.name = "i"}}, .coprocessors = {}}, {}));
  MustBe(indexer::MetaRow(&Index(), Store()).Set(indexer::kPauseColumn, "me: upgrade"));
  MarkAt(made_at_);
  RecordedConsole console;
  auto run = Run();
  std::this_thread::sleep_for(milliseconds(11'000));  // a line is due each ten seconds
  owners_.applied = kRows;
  MarkAt(SystemClock()->WallMillis() + 20'000);
  EXPECT_TRUE(Ends(run));
  EXPECT_THAT(
      console.TakeMessages(),
      ::testing::ContainsRegex("waits until the index's watermark passes .*Z \\(it is at .*Z\\); index x is paused "
                               "\\(me: upgrade\\). To continue: 'fensi resume MAPPING"));
  EXPECT_TRUE(run.get().ok());
}

TEST_F(BackfillRunTest, AMarkThatIsAheadOfThisMachinesClockProvesNothing) {
  MarkAt(SystemClock()->WallMillis() + 600'000);
  owners_.applied = kRows;
  auto run = Run();
  ASSERT_TRUE(Ends(run));
  const Status ended = run.get();
  EXPECT_EQ(ended.code(), StatusCode::kConfiguration);
  EXPECT_THAT(ended.message(), ::testing::HasSubstr("is behind the servers' clocks: the watermark of index "));
  EXPECT_EQ(owners_.sent, 0);
}

TEST_F(BackfillRunTest, WhoSaysThatTheStreamHasAllNeedsNoMark) {
  wish_.skip_watermark_check = true;
  owners_.applied = kRows;
  auto run = Run();
  ASSERT_TRUE(Ends(run));
  EXPECT_TRUE(run.get().ok());
  EXPECT_EQ(owners_.sent, kRows);
}

}  // namespace
}  // namespace fensi::operations
