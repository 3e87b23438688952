#include "base/histogram.h"

#include <gmock/gmock.h>

#include <limits>
#include <thread>
#include <vector>

#include "tests/support/matchers.h"

namespace fensi {
namespace {

constexpr std::array<double, 3> kBounds = {1, 2, 4};

TEST(HistogramTest, CountsUpToAndWithEachBound) {
  Histogram histogram(kBounds);
  for (const double seconds : {0.5, 1.0, 1.5, 4.0, 5.0}) histogram.Observe(seconds);
  const Histogram::Snapshot all = histogram.snapshot();
  EXPECT_THAT(all.cumulative, ElementsAre(2, 3, 4));
  EXPECT_EQ(all.count, 5);
  EXPECT_DOUBLE_EQ(all.sum, 12);
}

TEST(HistogramTest, TakesWhatIsBelowZeroOrNoNumberForZero) {
  Histogram histogram(kBounds);
  histogram.Observe(-3);
  histogram.Observe(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(histogram.snapshot().cumulative, ElementsAre(2, 2, 2));
  EXPECT_EQ(histogram.snapshot().sum, 0);
}

TEST(HistogramTest, LosesNothingOfManyThreads) {
  Histogram histogram(kBounds);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10'000; ++n) histogram.Observe(3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(histogram.snapshot().cumulative, ElementsAre(0, 0, 40'000));
  EXPECT_DOUBLE_EQ(histogram.snapshot().sum, 120'000);
}

TEST(HistogramTest, HasAscendingBounds) {
  for (const auto& bounds : {Histogram::kOfCalls, Histogram::kOfDelays}) {
    EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
    EXPECT_LE(bounds.size(), Histogram::kMostBounds);
  }
}

}  // namespace
}  // namespace fensi
