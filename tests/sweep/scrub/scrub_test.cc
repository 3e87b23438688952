// A scrub beside an index: what a pass finds, who does it, and that whatever fails costs a piece at most.
#include "sweep/scrub/scrub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "base/random_name.h"
#include "meta/versioned_meta_row.h"
#include "support/sweep_world.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kIncarnation[] = "0123456789abcdef";
constexpr int kRows = 250;  // of three pieces

struct Heard final : ScrubListener {
  Status Piece(const ScrubSum& sum, const std::vector<Finding>& findings) override {
    rows += sum.rows;
    for (const Finding& finding : findings) found.findings.push_back(finding);
    if (on_piece) on_piece();
    return answer;
  }
  void Pass(const ScrubSum& sum, bool ours) override { (ours ? passes : learned).push_back(sum); }
  void Failed(const Status& why) override { failures.push_back(why); }
  void OnSuspended(const std::string& why) override { suspensions.push_back(why); }

  int64_t rows = 0;
  FindingList found;
  std::vector<ScrubSum> passes, learned;
  std::vector<Status> failures;
  std::vector<std::string> suspensions;
  std::function<void()> on_piece;
  Status answer;
};

class ScrubTest : public ::testing::Test {
 protected:
  ScrubTest() : world_(FollowIndex()) {
    MustBe(world_.store()->CreateTable(meta::MetaTable("fensi_meta"), {}));
    MustBe(Record().Register({.incarnation = kIncarnation}));
    for (int i = 0; i < kRows; ++i) {
      const std::string row = Row(i);
      world_.PutSource(row, "f1:from", "m");
      world_.Index(row);
    }
  }

  static std::string Row(int number) { return "r" + std::to_string(1000 + number); }
  meta::IndexRecord Record() {
    return meta::IndexRecord({world_.store(), "fensi_meta", meta::IndexRow(world_.index().name()), world_.clock()});
  }
  ScrubDependencies Parts(Heard* heard, std::function<bool()> stopped) {
    return {.index = &world_.index(),
            .store = world_.faulty(),
            .clock = world_.clock(),
            .listener = heard,
            .meta_table = "fensi_meta",
            .incarnation = kIncarnation,
            .worker = RandomName(),
            .rows_per_second = 5,
            .stopped = std::move(stopped),
            .why_suspended = [this] { return why_suspended ? why_suspended() : ""; }};
  }
  /// Until so many passes ended, or an hour of the clock went by.
  void Run(Heard* heard, size_t passes) {
    const milliseconds end = world_.clock()->MonotonicNow() + std::chrono::hours(1);
    Scrub(Parts(heard, [=, this] {
      return heard->passes.size() >= passes || world_.clock()->MonotonicNow() > end;
    })).Run();
  }
  void RunUntil(Heard* heard, milliseconds end) {
    Scrub(Parts(heard, [=, this] { return world_.clock()->MonotonicNow() >= end; })).Run();
  }
  static meta::Marks MarkOf(int64_t time) { return {.by_partition = {{0, time}}, .partitions = 1, .basis = "markers"}; }
  /// The index follows its source by a clock that differs so from the one of the scrub.
  void MarkAt(milliseconds off) {
    why_suspended = [this, off] {
      MustBe(Record().NoteMarks(kIncarnation, MarkOf(world_.clock()->WallMillis() + off.count())).status());
      return "";
    };
  }
  void Damage() {
    world_.RemoveCell(Follower("m", Row(3)));
    world_.PutCell(Follower("m", Row(120), "7"));
    world_.PutCell(Follower("o", Row(240)));
  }
  std::string Text(const ScrubSum& sum) {
    return std::to_string(sum.rows) + " " + std::to_string(sum.cells) + ": " + std::to_string(sum.missing) + " " +
           std::to_string(sum.orphan) + " " + std::to_string(sum.differs);
  }

  SweepWorld world_;
  std::function<std::string()> why_suspended;
};

TEST_F(ScrubTest, APassOfAnIndexThatIsRightFindsNothing) {
  Heard heard;
  Run(&heard, 2);
  ASSERT_THAT(heard.passes, SizeIs(2));
  EXPECT_EQ(Text(heard.passes[0]), "250 250: 0 0 0");
  EXPECT_EQ(Text(heard.passes[1]), "250 250: 0 0 0");
  EXPECT_GE(heard.passes[1].began, heard.passes[0].ended + milliseconds(Scrub::kPause).count());
  EXPECT_THAT(heard.failures, IsEmpty());
}

TEST_F(ScrubTest, DamageIsFoundInThePassAndTheTableOfAllIndexesSaysSo) {
  Damage();
  Heard heard;
  Run(&heard, 1);
  ASSERT_THAT(heard.passes, SizeIs(1));
  EXPECT_EQ(Text(heard.passes[0]), "250 250: 1 1 1");
  EXPECT_THAT(heard.found.Texts(),
              ElementsAre("content_differs r1120 -> x_table m f1:r1120", "missing r1003 -> x_table m f1:r1003",
                          "orphan r1240 -> x_table o f1:r1240"));
}

TEST_F(ScrubTest, TheLastPassIsKnownToTheNextProcess) {
  Damage();
  Heard first, second;
  Run(&first, 2);
  ASSERT_THAT(first.passes, SizeIs(2));
  EXPECT_EQ(ScrubSumOf(Record().Read().value()->scrubbed), first.passes[1]);
  RunUntil(&second, world_.clock()->MonotonicNow() + seconds(1));
  ASSERT_THAT(second.learned, ::testing::Not(IsEmpty()));
  EXPECT_EQ(second.learned[0], first.passes[1]);
}

TEST_F(ScrubTest, WhatIsDamagedAfterAPassIsFoundInTheNext) {
  Heard heard;
  Run(&heard, 1);
  Damage();
  Run(&heard, 2);
  ASSERT_THAT(heard.passes, SizeIs(2));
  EXPECT_EQ(heard.passes[1].found(), 3);
}

TEST_F(ScrubTest, WhatTheIndexFollowsLateIsNoDifference) {
  int moved = 0;
  world_.clock()->on_sleep = [&] {
    const milliseconds now = world_.clock()->MonotonicNow();
    // A row moves at each step, and the index has it only some steps later.
    if (now.count() % 100 != 0) return;
    const std::string row = Row(moved % kRows);
    world_.PutSource(row, "f1:from", moved % 2 == 0 ? "n" : "m", 100 + moved);
    if (moved >= 20) {
      const int followed = (moved - 20) % kRows;
      world_.Index(Row(followed), 100 + moved);
      if (followed % 2 == 0) world_.RemoveCell(Follower("m", Row(followed)), 99 + moved);
    }
    ++moved;
  };
  Heard heard;
  RunUntil(&heard, world_.clock()->MonotonicNow() + seconds(300));
  world_.clock()->on_sleep = nullptr;
  EXPECT_GT(moved, 20);
  EXPECT_GT(heard.rows, kRows / 2);
  EXPECT_THAT(heard.found.Texts(), IsEmpty());
}

TEST_F(ScrubTest, OneThatIsCutShortIsFollowedByOneThatGoesOn) {
  Damage();
  Heard first, second;
  bool ended = false;
  first.on_piece = [&] { ended = first.rows >= 200; };
  Scrub(Parts(&first, [&] { return ended; })).Run();
  EXPECT_EQ(first.rows, 200);
  Run(&second, 1);
  ASSERT_THAT(second.passes, SizeIs(1));
  EXPECT_EQ(Text(second.passes[0]), "250 250: 1 1 1") << "the sum of both";
  EXPECT_LE(second.rows, 150) << "a piece at most is done again";
}

TEST_F(ScrubTest, OfTwoOneWorksAndTheOtherTakesOverWhenItIsSilent) {
  const auto row = [&] {
    return meta::VersionedMetaRow(world_.store(), "fensi_meta", "job:fensi:scrub", world_.clock());
  };
  ScrubLease one(row(), "lease", "one", world_.clock()), two(row(), "lease", "two", world_.clock());
  ScrubPlace place;
  ASSERT_TRUE(one.Take().value());
  for (int i = 0; i < 10; ++i) {
    place.next = "r" + std::to_string(i);
    EXPECT_EQ(one.Move(place).value(), true);
    EXPECT_FALSE(two.Take().value());
    world_.clock()->Sleep(seconds(3));
  }
  world_.clock()->Sleep(ScrubLease::kSilence);
  const auto taken = two.Take();
  ASSERT_TRUE(taken.value());
  EXPECT_EQ((**taken).next, "r9");
  EXPECT_EQ(one.Move(place).value(), false);
  EXPECT_FALSE(one.Take().value());
}

TEST_F(ScrubTest, WhatAPersonWritesIntoTheLeaseBeginsANewPass) {
  const meta::VersionedMetaRow row(world_.store(), "fensi_meta", "job:fensi:scrub", world_.clock());
  for (const char* text :
       {"", "x", "x y z", "one 5 forward =a", "one 1 forward =a =b 1 2 3 4 5 6 7 8 9 10",
        "one 9223372036854775807 forward =a =b 1 2 3 4 5 6 7 8 9", "one -1 forward =a =b 1 2 3 4 5 6 7 8 9"}) {
    MustBe(row.Write("lease", world_.clock()->WallMillis(), text));
    ScrubLease lease(row, "lease", "two", world_.clock());
    EXPECT_FALSE(lease.Take().value()) << "it may be a later version's";
    world_.clock()->Sleep(ScrubLease::kSilence);
    const auto taken = lease.Take();
    ASSERT_TRUE(taken.value()) << text;
    EXPECT_EQ(**taken, ScrubPlace());
  }
}

TEST_F(ScrubTest, IsSuspendedWhileTheIndexIsBehindAndBelievesNothingOfThatTime) {
  Damage();
  Heard heard;
  const milliseconds begin = world_.clock()->MonotonicNow();
  why_suspended = [&] { return world_.clock()->MonotonicNow() - begin > seconds(10) ? "behind" : ""; };
  RunUntil(&heard, begin + seconds(200));
  EXPECT_EQ(heard.rows, 0);
  EXPECT_THAT(heard.found.Texts(), IsEmpty());
  EXPECT_THAT(heard.failures, IsEmpty());
  why_suspended = nullptr;
  Run(&heard, 1);
  ASSERT_THAT(heard.passes, SizeIs(1));
  EXPECT_EQ(heard.passes[0].found(), 3);
}

TEST_F(ScrubTest, BelievesNoPieceInAnyCallOfWhichTheIndexFellBehind) {
  Damage();
  int calls = 0, nth = 1;
  std::optional<milliseconds> since;  // it is behind
  world_.faulty()->SetObserver([&](store::FaultyStore::Call, const std::string&) {
    if (!since && ++calls == nth) since = world_.clock()->MonotonicNow();
    return Status();
  });
  why_suspended = [&] {
    if (since && world_.clock()->MonotonicNow() - *since > seconds(5)) {
      since.reset();
      calls = 0;
      ++nth;
    }
    return since ? "behind" : "";
  };
  Heard heard;
  heard.on_piece = [&] { EXPECT_FALSE(since.has_value()) << "call " << nth; };
  const milliseconds end = world_.clock()->MonotonicNow() + std::chrono::hours(100);
  Scrub(Parts(&heard, [&] { return !heard.passes.empty() || world_.clock()->MonotonicNow() > end; })).Run();
  world_.faulty()->SetObserver(nullptr);
  ASSERT_THAT(heard.passes, SizeIs(1));
  EXPECT_EQ(heard.passes[0].found(), 3);
  EXPECT_GT(nth, 10);
}

TEST_F(ScrubTest, IsSuspendedWhileTheMarkIsOld) {
  MustBe(Record().NoteMarks(kIncarnation, MarkOf(world_.clock()->WallMillis() - 60'000)).status());
  Heard heard;
  RunUntil(&heard, world_.clock()->MonotonicNow() + seconds(200));
  EXPECT_EQ(heard.rows, 0);
  EXPECT_THAT(heard.suspensions,
              ElementsAre(HasSubstr("s old: the index is behind, or the clock of this machine is ahead")));
  MarkAt(milliseconds(0));
  Run(&heard, 1);
  EXPECT_EQ(heard.rows, kRows);
}

TEST_F(ScrubTest, WithClocksTenMinutesOffComparesNothingAndSaysSo) {
  for (const milliseconds off : {milliseconds(-600'000), milliseconds(600'000)}) {  // a mark never falls
    Damage();
    Heard heard;
    MarkAt(off);
    RunUntil(&heard, world_.clock()->MonotonicNow() + seconds(400));
    EXPECT_EQ(heard.rows, 0);
    EXPECT_THAT(heard.found.Texts(), IsEmpty());
    EXPECT_THAT(heard.suspensions,
                ElementsAre(HasSubstr(off.count() > 0 ? "s behind the region servers"
                                                      : "s old: the index is behind, or the clock")));
  }
}

TEST_F(ScrubTest, SaysWhenItGoesOnAfterItWasSuspended) {
  Heard heard;
  why_suspended = [] { return "behind"; };
  RunUntil(&heard, world_.clock()->MonotonicNow() + seconds(100));
  EXPECT_THAT(heard.suspensions, IsEmpty());
  const milliseconds begin = world_.clock()->MonotonicNow();
  why_suspended = [&] { return world_.clock()->MonotonicNow() - begin < seconds(1'000) ? "behind" : ""; };
  Run(&heard, 1);
  EXPECT_THAT(heard.suspensions, ElementsAre("behind", ""));
}

TEST_F(ScrubTest, AFailureOfAnyCallCostsAPieceAtMost) {
  Damage();
  for (const auto when : {store::FaultyStore::When::kBefore, store::FaultyStore::When::kAfter}) {
    for (int call = 1;; ++call) {
      const int before = world_.faulty()->Calls();
      world_.faulty()->FailCall(call, when, Status(StatusCode::kInternal, "injected"));
      Heard heard;
      Run(&heard, 1);
      ASSERT_THAT(heard.passes, SizeIs(1)) << call;
      ASSERT_EQ(heard.passes[0].found(), 3) << call;
      if (call > world_.faulty()->Calls() - before) break;
      world_.faulty()->Heal();
    }
    world_.faulty()->Heal();
  }
}

TEST_F(ScrubTest, WhatCannotBeDoneAboutAPieceIsToldAndThePassGoesOn) {
  Heard heard;
  heard.answer = Status(StatusCode::kNotFound, "nobody to ask");
  Run(&heard, 1);
  ASSERT_THAT(heard.passes, SizeIs(1));
  EXPECT_EQ(heard.rows, kRows);
  EXPECT_THAT(heard.failures, SizeIs(4)) << "of three pieces forward, and one of the only row of the index";
}

TEST_F(ScrubTest, AStoreThatIsAwayIsToldAndWaitedFor) {
  Heard heard;
  world_.faulty()->FailAlways();
  RunUntil(&heard, world_.clock()->MonotonicNow() + seconds(600));
  EXPECT_GE(heard.failures.size(), 2U);
  EXPECT_LE(heard.failures.size(), 10U) << "some a minute at most";
  world_.faulty()->Heal();
  Run(&heard, 1);
  EXPECT_EQ(heard.rows, kRows);
}

TEST(ScrubPlaceTest, ItsTextComesBackWhateverTheKeys) {
  std::string any;
  for (int byte = 0; byte < 256; ++byte) any += static_cast<char>(byte);
  ScrubPlace place{true, "t a", any, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  EXPECT_EQ(ScrubPlaceOf(TextOf(place)), place);
  EXPECT_EQ(ScrubPlaceOf(TextOf(ScrubPlace())), ScrubPlace());
  for (const char* text :
       {"", "1", "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8 9 10", "1 2 3 4 5 6 7 8 x", "1 2 3 4 -5 6 7 8 9"}) {
    EXPECT_FALSE(ScrubSumOf(text)) << text;
  }
}

}  // namespace
}  // namespace fensi::sweep
