#include <gtest/gtest.h>

#include "metrics/snapshot.h"

namespace fensi::metrics {
namespace {

TEST(QuantileTest, LiesInTheBucketAsIfThatWereFilledEvenly) {
  Histogram histogram(Histogram::kOfCalls);
  EXPECT_EQ(Quantile(histogram.snapshot(), 0.5), std::nullopt) << "nothing was observed";
  histogram.Observe(0.3, 10);  // between 0.25 and 0.5
  EXPECT_DOUBLE_EQ(*Quantile(histogram.snapshot(), 0.5), 0.375);
  EXPECT_DOUBLE_EQ(*Quantile(histogram.snapshot(), 1), 0.5);
  histogram.Observe(0.0005, 990);
  EXPECT_DOUBLE_EQ(*Quantile(histogram.snapshot(), 0.99), 0.001);
  EXPECT_GT(*Quantile(histogram.snapshot(), 0.995), 0.25);
}

TEST(QuantileTest, OfWhatLiesAboveAllBoundsIsTheLast) {
  Histogram histogram(Histogram::kOfCalls);
  histogram.Observe(3600);
  EXPECT_EQ(Quantile(histogram.snapshot(), 0.5), 10.0);
}

TEST(QuantileTest, OfATimeIsOfWhatWasObservedInIt) {
  Histogram histogram(Histogram::kOfCalls);
  histogram.Observe(9, 1'000);
  const Histogram::Snapshot before = histogram.snapshot();
  EXPECT_EQ(Quantile(Between(before, histogram.snapshot()), 0.5), std::nullopt);
  histogram.Observe(0.02, 4);
  const Histogram::Snapshot since = Between(before, histogram.snapshot());
  EXPECT_EQ(since.count, 4);
  EXPECT_NEAR(since.sum, 0.08, 1e-9);
  EXPECT_LE(*Quantile(since, 0.99), 0.025);
  EXPECT_EQ(Between(histogram.snapshot(), before).count, 0) << "never less than nothing";
}

}  // namespace
}  // namespace fensi::metrics
