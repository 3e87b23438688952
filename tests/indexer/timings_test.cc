#include "indexer/timings.h"

#include <gtest/gtest.h>

#include <thread>

namespace fensi::indexer {
namespace {

using std::chrono::milliseconds;

double Seconds(const Timings& timings, Phase phase) {
  return timings.phases[static_cast<size_t>(phase)].snapshot().sum;
}

TEST(PhaseClockTest, AllPhasesTogetherAreTheBatch) {
  Timings timings;
  PhaseClock clock(&timings);
  const auto begin = std::chrono::steady_clock::now();
  clock.Start();
  {
    const InPhase reading(&clock, Phase::kReadState);
    std::this_thread::sleep_for(milliseconds(20));
    const InPhase inside(&clock, Phase::kReadSource);
    std::this_thread::sleep_for(milliseconds(20));
  }
  clock.Pause();
  clock.Finish();
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double sum = 0;
  for (const Histogram& each : timings.phases) sum += each.snapshot().sum;
  EXPECT_LE(sum, all);
  EXPECT_GE(sum, 0.04);
  EXPECT_GE(Seconds(timings, Phase::kReadState), 0.02);
  EXPECT_GE(Seconds(timings, Phase::kReadSource), 0.02);
  EXPECT_LT(Seconds(timings, Phase::kReadState) + Seconds(timings, Phase::kReadSource), sum + 1e-9);
}

TEST(PhaseClockTest, ABatchCountsOnceInEachPhaseAndAPauseIsNobodysTime) {
  Timings timings;
  PhaseClock clock(&timings);
  clock.Spend(Phase::kDecode, milliseconds(5));
  clock.Start();
  clock.Pause();
  std::this_thread::sleep_for(milliseconds(50));  // a second look is waited for
  clock.Start();
  clock.Pause();
  clock.Finish();
  double sum = 0;
  for (const Histogram& each : timings.phases) {
    EXPECT_EQ(each.snapshot().count, 1);
    sum += each.snapshot().sum;
  }
  EXPECT_LT(sum, 0.05);
  EXPECT_NEAR(Seconds(timings, Phase::kDecode), 0.005, 1e-6);
}

TEST(PhaseClockTest, WithoutTimingsNothingIsMeasured) {
  PhaseClock clock(nullptr);
  clock.Start();
  { const InPhase reading(&clock, Phase::kReadState); }
  clock.Finish();
  EXPECT_EQ(clock.timings(), nullptr);
}

}  // namespace
}  // namespace fensi::indexer
