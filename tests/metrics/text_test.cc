#include "metrics/text.h"

#include <gmock/gmock.h>

#include "tests/support/matchers.h"

namespace fensi::metrics {
namespace {

TEST(TextTest, SaysTypeHelpAndEachSeriesOnce) {
  Snapshot snapshot;
  snapshot.Set("fensi_events_total", {"b"}, int64_t{7});
  snapshot.Set("fensi_events_total", {"a"}, int64_t{1});
  snapshot.Set("fensi_events_total", {"a"}, int64_t{2});
  const std::string text = Text(snapshot);
  EXPECT_THAT(text, HasSubstr("# HELP fensi_events_total "));
  EXPECT_THAT(text, HasSubstr("# TYPE fensi_events_total counter\nfensi_events_total{index=\"a\"} 2\n"
                              "fensi_events_total{index=\"b\"} 7\n"));
  EXPECT_THAT(text, Not(HasSubstr("fensi_batches_total")));
}

TEST(TextTest, LeavesOutAndTellsWhatIsNotOfTheTable) {
  Snapshot snapshot;
  snapshot.Set("fensi_of_nobody", {}, int64_t{1});
  snapshot.Set("fensi_events_total", {}, int64_t{1});
  snapshot.Set("fensi_events_total", {"a", "b"}, int64_t{1});
  snapshot.Set("fensi_events_total", {"a"}, Histogram(Histogram::kOfCalls).snapshot());
  snapshot.Set("fensi_phase_seconds", {"a", "plan"}, 1.0);
  EXPECT_THAT(snapshot.faults(), ElementsAre("fensi_of_nobody", "fensi_events_total", "fensi_events_total",
                                             "fensi_events_total", "fensi_phase_seconds"));
  EXPECT_THAT(Text(snapshot), IsEmpty());
}

TEST(TextTest, EscapesWhatNamesMayHold) {
  Snapshot snapshot;
  snapshot.Set("fensi_events_total", {"a\"b\\c\nd"}, int64_t{1});
  EXPECT_THAT(Text(snapshot), HasSubstr("{index=\"a\\\"b\\\\c\\nd\"} 1\n"));
}

TEST(TextTest, ShowsWholeNumbersWhole) {
  Snapshot snapshot;
  snapshot.Set("fensi_applied_offset", {"a", "0"}, int64_t{1} << 52);
  snapshot.Set("fensi_last_commit_timestamp_seconds", {"a"}, 1767225600.123);
  EXPECT_THAT(Text(snapshot), HasSubstr("{index=\"a\",partition=\"0\"} 4503599627370496\n"));
  EXPECT_THAT(Text(snapshot), HasSubstr("{index=\"a\"} 1767225600.123"));
}

TEST(TextTest, ShowsHistogramsWithAllTheirBounds) {
  Histogram histogram(Histogram::kOfCalls);
  histogram.Observe(0.3);
  histogram.Observe(20);
  Snapshot snapshot;
  snapshot.Set("fensi_phase_seconds", {"a", "plan"}, histogram.snapshot());
  const std::string text = Text(snapshot);
  EXPECT_THAT(text, HasSubstr("fensi_phase_seconds_count{index=\"a\",phase=\"plan\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("fensi_phase_seconds_sum{index=\"a\",phase=\"plan\"} 20.3\n"));
  EXPECT_THAT(text, HasSubstr("le=\"0.25\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("le=\"0.5\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("le=\"10\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("le=\"+Inf\"} 2\n"));
}

}  // namespace
}  // namespace fensi::metrics
