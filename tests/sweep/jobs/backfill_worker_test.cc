// Workers of a backfill: every row reaches the broker whoever dies when, and nobody says so before it did (M17).
#include "sweep/jobs/backfill_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/backfill_world.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;
using Call = store::FaultyStore::Call;
using When = store::FaultyStore::When;

constexpr int kRows = 300;

class BackfillWorkerTest : public ::testing::Test {
 protected:
  /// Rows below the places that the board shows which no broker acknowledged.
  std::vector<std::string> Claimed(const Board& board) {
    std::vector<std::string> claimed;
    const auto view = board.Look();
    MustBe(view.status());
    for (const RangeState& range : view->ranges) {
      for (int i = 0; i < kRows; ++i) {
        const std::string row = BackfillWorld::RowKey(i);
        const bool inside = row >= range.range.start && (range.range.stop.empty() || row < range.range.stop);
        const bool said = range.place.done || row < range.place.next;
        if (inside && said && !acknowledged_.rows.contains(row)) claimed.push_back(row);
      }
    }
    return claimed;
  }
  void ExpectAll() {
    for (int i = 0; i < kRows; ++i) EXPECT_TRUE(acknowledged_.rows.contains(BackfillWorld::RowKey(i))) << i;
  }
  std::vector<RowRange> Three() const {
    return {{"", BackfillWorld::RowKey(100)},
            {BackfillWorld::RowKey(100), BackfillWorld::RowKey(200)},
            {BackfillWorld::RowKey(200), ""}};
  }
  Status RunOne(const Board& board) {
    MemorySink sink(&acknowledged_);
    return BackfillWorker(world_.Parts(&board, &sink)).Run();
  }

  BackfillWorld world_;
  Acknowledged acknowledged_;
};

TEST_F(BackfillWorkerTest, PublishesEveryRowOnce) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three());
  MustBe(RunOne(board));
  ExpectAll();
  EXPECT_EQ(acknowledged_.requests.size(), static_cast<size_t>(kRows));
  EXPECT_EQ(board.Look()->sum().rows, kRows);
  EXPECT_TRUE(board.Look()->sum().done);
}

TEST_F(BackfillWorkerTest, AJobThatIsDoneIsNotDoneAgain) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three());
  MustBe(RunOne(board));
  MustBe(RunOne(board));
  EXPECT_EQ(acknowledged_.requests.size(), static_cast<size_t>(kRows));
}

TEST_F(BackfillWorkerTest, AnEmptyTableIsDone) {
  const Board board = world_.Make({{"", ""}});
  MustBe(RunOne(board));
  EXPECT_TRUE(board.Look()->sum().done);
}

TEST_F(BackfillWorkerTest, NothingIsSaidBeforeTheBrokerHasIt) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three());
  MemorySink sink(&acknowledged_);
  sink.flushes_that_fail = 2;
  int looks = 0;
  world_.go_on = [&] {
    if (++looks % 7 == 0) {
      EXPECT_THAT(Claimed(board), ::testing::IsEmpty());
    }
    return Status();
  };
  MustBe(BackfillWorker(world_.Parts(&board, &sink)).Run());
  EXPECT_THAT(Claimed(board), ::testing::IsEmpty());
  ExpectAll();
}

TEST_F(BackfillWorkerTest, APlaceThatIsSaidOnTheWayIsTrueToo) {
  world_.PutRows(kRows);
  const Board board = world_.Make({{"", ""}}, {Wish::kRun, 20, 0});
  std::set<std::string> places;
  world_.world().clock()->on_sleep = [&] {
    ASSERT_THAT(Claimed(board), ::testing::IsEmpty());
    places.insert(board.Look()->ranges[0].place.next);
  };
  MustBe(RunOne(board));
  EXPECT_GE(places.size(), 2U);  // where it began, and one on the way
  ExpectAll();
}

TEST_F(BackfillWorkerTest, WhoeverDiesInWhichCallTheNextOneEndsIt) {
  world_.PutRows(kRows);
  for (int call = 1;; ++call) {
    acknowledged_ = {};
    const Board board = world_.Make(Three());
    const Status death(StatusCode::kInternal, "died");
    world_.world().faulty()->FailCall(call, call % 2 == 0 ? When::kBefore : When::kAfter, death);
    const Status first = RunOne(board);
    world_.world().faulty()->Heal();
    EXPECT_THAT(Claimed(board), ::testing::IsEmpty()) << "call " << call;
    MustBe(RunOne(board));
    ExpectAll();
    if (first.ok()) {
      EXPECT_GT(call, 10);
      break;
    }
  }
}

TEST_F(BackfillWorkerTest, TwoThatTakeTurnsAtEveryCallShareTheRanges) {
  world_.PutRows(kRows);
  for (int turn = 1; turn <= 25; ++turn) {
    acknowledged_ = {};
    const Board board = world_.Make(Three());
    // The second works to its end inside a call of the first, as if that one was paused there.
    int calls = 0;
    world_.world().faulty()->SetObserver([&](Call, const std::string&) {
      if (++calls == turn) MustBe(RunOne(board));
      return Status();
    });
    // Its range is not silent yet, so that the second waits for it: let the time go on.
    MustBe(RunOne(board));
    world_.world().faulty()->SetObserver({});
    EXPECT_THAT(Claimed(board), ::testing::IsEmpty()) << "turn " << turn;
    ExpectAll();
    EXPECT_TRUE(board.Look()->sum().done);
  }
}

TEST_F(BackfillWorkerTest, WhoIsKilledAgainAndAgainGetsFurtherEachTime) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three(), {Wish::kRun, 1, 0});
  int64_t known = 0;
  for (int life = 0; !board.Look()->sum().done; ++life) {
    ASSERT_LE(life, kRows / 64 + 3);
    // Dies in the first wait for its pace, which lasts for a minute.
    world_.go_on = [&, looks = 0]() mutable {
      return ++looks < 40 ? Status() : Status(StatusCode::kInternal, "killed");
    };
    MemorySink sink(&acknowledged_);
    BackfillDependencies parts = world_.Parts(&board, &sink);
    parts.alone = true;
    EXPECT_LE(BackfillWorker(std::move(parts)).Run().code(), StatusCode::kInternal);
    EXPECT_GT(board.Look()->sum().rows, known);
    known = board.Look()->sum().rows;
  }
  EXPECT_THAT(Claimed(board), ::testing::IsEmpty());
  ExpectAll();
}

TEST_F(BackfillWorkerTest, APlaceIsSavedWithinASecondOfRest) {
  world_.PutRows(kRows);
  const Board board = world_.Make({{"", ""}}, {Wish::kRun, 100, 0});
  milliseconds since{0};
  int64_t known = -1;
  world_.world().clock()->on_sleep = [&] {
    // Three pages, of 64, 128 and 108 rows: what was read a second ago is on the board.
    const int64_t read = world_.flow.requests;
    if (read != known) since = world_.world().clock()->MonotonicNow();
    known = read;
    if (world_.world().clock()->MonotonicNow() - since > milliseconds(1'100)) {
      EXPECT_EQ(board.Look()->sum().rows, read);
    }
  };
  MustBe(RunOne(board));
}

TEST_F(BackfillWorkerTest, WhoIsAloneTakesTheRangeOfADeadOneAtOnce) {
  world_.PutRows(kRows);
  for (const bool alone : {true, false}) {
    const Board board = world_.Make({{"", ""}});
    HeartbeatMonitor watch;
    const auto dead = board.Take(*board.Look(), &watch, "dead", 0, milliseconds(0));
    ASSERT_TRUE(dead.ok() && *dead);
    MemorySink sink(&acknowledged_);
    BackfillDependencies parts = world_.Parts(&board, &sink);
    parts.alone = alone;
    const milliseconds began = world_.world().clock()->MonotonicNow();
    MustBe(BackfillWorker(std::move(parts)).Run());
    const milliseconds took = world_.world().clock()->MonotonicNow() - began;
    EXPECT_EQ(took < HeartbeatMonitor::kSilence, alone);
  }
}

TEST_F(BackfillWorkerTest, ACancelledJobEnds) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three(), {Wish::kCancel, 0, 0});
  EXPECT_EQ(RunOne(board).code(), StatusCode::kCancelled);
  EXPECT_TRUE(acknowledged_.rows.empty());
}

TEST_F(BackfillWorkerTest, CancelAndPauseActWithinFiveSeconds) {
  world_.PutRows(kRows);
  for (const Wish wish : {Wish::kCancel, Wish::kPause}) {
    const Board board = world_.Make(Three(), {Wish::kRun, 10, 0});
    std::optional<int64_t> asked;
    size_t then = 0;
    world_.world().clock()->on_sleep = [&] {
      const int64_t now = world_.world().clock()->MonotonicNow().count();
      if (!asked && world_.flow.requests > 64) {
        asked = now;
        MustBe(board.Steer({wish, 10, 0}));
      }
      if (asked && now > *asked + 5'000 && then == 0) then = static_cast<size_t>(world_.flow.requests.load());
      if (asked && now > *asked + 60'000 && wish == Wish::kPause) MustBe(board.Steer({Wish::kCancel, 10, 0}));
    };
    world_.flow.requests = 0;
    EXPECT_EQ(RunOne(board).code(), StatusCode::kCancelled);
    if (wish == Wish::kPause) {
      EXPECT_EQ(static_cast<size_t>(world_.flow.requests.load()), then);
    }
    EXPECT_LT(world_.flow.requests, kRows);
    world_.world().clock()->on_sleep = {};
  }
}

TEST_F(BackfillWorkerTest, KeepsThePaceThatAllShare) {
  world_.PutRows(kRows);
  for (const int64_t sharers : {1, 3}) {
    const Board board = world_.Make(Three(), {Wish::kRun, 100, 0});
    world_.flow.sharers = sharers;
    const auto began = world_.world().clock()->MonotonicNow();
    MustBe(RunOne(board));
    const auto took = world_.world().clock()->MonotonicNow() - began;
    EXPECT_GE(took, milliseconds(1'500 * sharers));  // but the last page of each range
    EXPECT_LE(took, milliseconds(4'000 * sharers));
  }
}

TEST_F(BackfillWorkerTest, WaitsWhileRequestsWaitForTheirOwners) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three());
  world_.flow.held = true;
  int sleeps = 0;
  int64_t ahead = 0;
  world_.world().clock()->on_sleep = [&] {
    if (++sleeps == 100) ahead = world_.flow.requests;
    if (sleeps == 200) {
      EXPECT_EQ(world_.flow.requests, ahead);
      world_.flow.held = false;
    }
  };
  MustBe(RunOne(board));
  EXPECT_GE(sleeps, 200);
  ExpectAll();
}

TEST_F(BackfillWorkerTest, ABoardThatSomebodyDeletedEndsItWithTheReason) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three(), {Wish::kRun, 10, 0});
  bool once = false;
  world_.world().clock()->on_sleep = [&] {
    if (!std::exchange(once, true)) MustBe(world_.Row().Forget(*world_.Row().ReadAll()));
  };
  const Status status = RunOne(board);
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("somebody deleted the row"));
}

TEST_F(BackfillWorkerTest, ABrokerThatStaysAwayEndsItInTime) {
  world_.PutRows(kRows);
  const Board board = world_.Make(Three());
  MemorySink sink(&acknowledged_);
  sink.flushes_that_fail = 1'000'000;
  const auto began = world_.world().clock()->MonotonicNow();
  EXPECT_EQ(BackfillWorker(world_.Parts(&board, &sink)).Run().code(), StatusCode::kUnavailable);
  EXPECT_GE(world_.world().clock()->MonotonicNow() - began, BackfillWorker::kGiveUpAfter);
  EXPECT_LT(world_.world().clock()->MonotonicNow() - began, 2 * BackfillWorker::kGiveUpAfter);
}

TEST_F(BackfillWorkerTest, AnImageThatTheTopicDoesNotTakeBecomesARecheck) {
  world_.world().PutSource("r", "f1:from", "m");
  const Board board = world_.Make({{"", ""}});
  MemorySink sink(&acknowledged_);
  sink.refuses_images = true;
  MustBe(BackfillWorker(world_.Parts(&board, &sink)).Run());
  ASSERT_EQ(acknowledged_.requests.size(), 1U);
  EXPECT_EQ(acknowledged_.requests[0].kind, consumer::Request::Kind::kRecheck);
}

/// Takes a moment for one of its requests.
class BusySink final : public RequestSink {
 public:
  BusySink(RequestSink* sink, Clock* clock) : sink_(sink), clock_(clock) {}
  Status Send(const consumer::Request& request) override {
    if (++sent_ == 10'000) clock_->Sleep(milliseconds(5'000));
    return sink_->Send(request);
  }
  Status Flush() override { return sink_->Flush(); }

 private:
  RequestSink* const sink_;
  Clock* const clock_;
  int sent_ = 0;
};

TEST_F(BackfillWorkerTest, SparesTheStoreNothingWhenThePublisherIsSlow) {
  world_.PutRows(15'000);
  const Board board = world_.Make({{"", ""}});
  MemorySink sink(&acknowledged_);
  Clock* const clock = world_.world().clock();
  BusySink busy(&sink, clock);
  const milliseconds began = clock->MonotonicNow();
  MustBe(BackfillWorker(world_.Parts(&board, &busy)).Run());
  EXPECT_LT(clock->MonotonicNow() - began, milliseconds(6'000));
}

TEST(DutyTest, HalvesWhenPagesGetSlowAndRisesAgain) {
  WorldClock clock;
  Duty duty(&clock);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(duty.Took(milliseconds(60)), milliseconds(0));
    clock.Sleep(milliseconds(60));
  }
  EXPECT_EQ(duty.Took(milliseconds(500)), milliseconds(500));
  EXPECT_EQ(duty.share(), 0.5);
  duty.Halve();
  EXPECT_EQ(duty.share(), 0.25);
  for (int i = 0; i < 100; ++i) {
    clock.Sleep(milliseconds(100));
    duty.Took(milliseconds(60));
  }
  EXPECT_EQ(duty.share(), 1.0);
  for (int i = 0; i < 20; ++i) duty.Halve();
  EXPECT_EQ(duty.share(), Duty::kLeast);
}

}  // namespace
}  // namespace fensi::sweep
