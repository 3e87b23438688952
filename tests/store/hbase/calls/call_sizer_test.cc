#include "store/hbase/calls/call_sizer.h"

#include <gmock/gmock.h>

#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;

const Status kAway(StatusCode::kUnavailable, "no answer in time");

/// Calls to one table.
class CallPaceTest : public ::testing::Test {
 protected:
  void Call(size_t count, milliseconds took, const Status& status = {}) {
    (void)pace_.Time(count, [&] {
      clock_.Advance(took);
      return status;
    });
  }
  /// Calls as large as they may be.
  void Calls(int number, milliseconds took) {
    for (int i = 0; i < number; ++i) Call(pace_.units(), took);
  }

  FakeClock clock_;
  CallSizer pace_{{100, 1'000}, &clock_};
};

TEST_F(CallPaceTest, BeginsWithTheFewestAndGrowsToTheMostWhileCallsAreQuick) {
  EXPECT_EQ(pace_.units(), 100u);
  Calls(1, milliseconds(10));
  EXPECT_EQ(pace_.units(), 200u);
  Calls(10, milliseconds(10));
  EXPECT_EQ(pace_.units(), 1'000u);
}

TEST_F(CallPaceTest, GrowsToTwiceOfWhatWasTakenAtMost) {
  Call(60, milliseconds(1));
  EXPECT_EQ(pace_.units(), 120u);
  Call(10, milliseconds(1));
  EXPECT_EQ(pace_.units(), 120u) << "little was sent";
}

TEST_F(CallPaceTest, ACallThatTookNoTimeOnTheClockIsAQuickOne) {
  Calls(10, milliseconds(0));
  EXPECT_EQ(pace_.units(), 1'000u);
}

TEST_F(CallPaceTest, IsAsLargeAsTakesAQuarterOfASecond) {
  Calls(10, milliseconds(1));
  Call(1'000, milliseconds(500));
  EXPECT_EQ(pace_.units(), 500u);
  Call(20, milliseconds(100));
  EXPECT_EQ(pace_.units(), 500u) << "little was sent, and in time";
  Call(20, milliseconds(10'000));
  EXPECT_EQ(pace_.units(), 100u) << "never below the fewest";
}

TEST_F(CallPaceTest, HalvesWhenACallFailsAndStaysThereForAMinute) {
  Calls(10, milliseconds(1));
  Call(800, milliseconds(1), kAway);
  EXPECT_EQ(pace_.units(), 400u);
  Calls(10, milliseconds(1));
  EXPECT_EQ(pace_.units(), 400u);
  clock_.Advance(CallSizer::kCaution);
  Calls(10, milliseconds(1));
  EXPECT_EQ(pace_.units(), 1'000u);
}

TEST_F(CallPaceTest, ALaterFailureLowersTheCeilingAndProlongsIt) {
  Calls(10, milliseconds(1));
  Call(600, milliseconds(1), kAway);
  clock_.Advance(CallSizer::kCaution - milliseconds(10));
  Call(1'000, milliseconds(1), kAway);
  clock_.Advance(milliseconds(100));
  Calls(10, milliseconds(1));
  EXPECT_EQ(pace_.units(), 300u) << "the larger call of the later failure does not raise it";
  Call(10, milliseconds(1), kAway);
  EXPECT_EQ(pace_.units(), 100u) << "never below the fewest";
}

/// A quota, or a limit of the server's memory, that calls of 500 do not meet.
TEST_F(CallPaceTest, ALimitOfTheServerIsMetEverMoreSeldom) {
  const milliseconds hangs{60'000};
  int hung = 0;
  for (const auto end = clock_.MonotonicNow() + std::chrono::hours(4); clock_.MonotonicNow() < end;) {
    const bool large = pace_.units() > 500;
    hung += large ? 1 : 0;
    Call(pace_.units(), large ? hangs : milliseconds(40), large ? kAway : Status());
  }
  EXPECT_LE(hung, 10);
  EXPECT_GE(hung, 5) << "it is tried again";
}

TEST_F(CallPaceTest, WhoHasTakenWhatFailedIsTrustedAsBefore) {
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(CallSizer::kCaution);
    Calls(10, milliseconds(1));
    EXPECT_EQ(pace_.units(), 1'000u) << i;
    Call(1'000, milliseconds(1), kAway);
  }
}

TEST_F(CallPaceTest, ASuccessThatBeganBeforeAFailureDoesNotCount) {
  Calls(10, milliseconds(1));
  (void)pace_.Time(1'000, [&] {
    Call(1'000, milliseconds(1), kAway);
    clock_.Advance(CallSizer::kCaution);
    return Status();
  });
  EXPECT_EQ(pace_.units(), 500u);
}

TEST_F(CallPaceTest, CallsThatFailTogetherHalveOnce) {
  Calls(10, milliseconds(1));
  (void)pace_.Time(1'000, [&] {
    Call(1'000, milliseconds(1), kAway);
    return kAway;
  });
  EXPECT_EQ(pace_.units(), 500u);
}

TEST_F(CallPaceTest, WhoLostTheRightToTheCallSaysNothingOfTheTable) {
  Calls(10, milliseconds(1));
  Call(1'000, milliseconds(9'000), Status(StatusCode::kFenced, "lost"));
  Call(1'000, milliseconds(9'000), Status(StatusCode::kCancelled, "stopped"));
  EXPECT_EQ(pace_.units(), 1'000u);
}

TEST(CallPacesTest, EachTableAndKindOfCallHasItsOwn) {
  FakeClock clock;
  CallPaces paces(&clock);
  using enum CallPaces::Kind;
  (void)paces.Of("t", kPut).Time(1'000, [] { return Status(); });
  EXPECT_EQ(paces.Of("t", kPut).units(), 2'000u);
  EXPECT_EQ(paces.Of("t", kDelete).units(), 1'000u);
  EXPECT_EQ(paces.Of("u", kPut).units(), 1'000u);
  EXPECT_EQ(paces.Of("t", kGet).units(), CallPaces::kFewestGets);
}

}  // namespace
}  // namespace fensi::store
