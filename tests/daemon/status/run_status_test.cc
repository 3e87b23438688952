// What `fensi run` tells of itself, where it needs no process: health by the clock, lag and freshness of partitions.
#include "daemon/status/run_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "daemon/indexes/index_metrics.h"
#include "daemon/indexes/index_scrub.h"
#include "daemon/status/config_hash.h"
#include "metrics/text.h"
#include "tests/doubles/fake_clock.h"

namespace fensi::daemon {
namespace {

using consumer::PartitionState;
using consumer::StreamState;
using std::chrono::seconds;

class RunStatusTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  const IndexRunList runs_;
  RunStatus status_{runs_, {}, &clock_, [](const std::string&) { return std::nullopt; }};
};

TEST_F(RunStatusTest, IsHealthyAsLongAsItsMainThreadTurns) {
  clock_.Advance(seconds(10));
  ASSERT_EQ(status_.Health().size(), 1u);
  EXPECT_EQ(status_.Health()[0].fault, "");
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(status_.Health()[0].fault, "has made no progress for 10 s. If this lasts, restart the process");
  status_.NoteTurn();
  EXPECT_EQ(status_.Health()[0].fault, "");
}

TEST_F(RunStatusTest, IsNotReadyWithoutAnIndexOrWhenItEnds) {
  ASSERT_EQ(status_.Readiness().size(), 1u);
  EXPECT_EQ(status_.Readiness()[0].fault, "no index runs any more. The event index_stopped in the log says why");
  status_.NoteStop();
  EXPECT_EQ(status_.Readiness()[0].fault, "is ending");
}

TEST_F(RunStatusTest, RemembersWhenItsFilesWereLastTaken) {
  const auto told = [&] {
    metrics::Snapshot snapshot;
    status_.Collect(&snapshot);
    std::string text = metrics::Text(snapshot), lines;
    for (size_t at = text.find("\nfensi_config_last_"); at != std::string::npos;
         at = text.find("\nfensi_config_last_", at + 1)) {
      lines += text.substr(at + 1, text.find('\n', at + 1) - at);
    }
    return lines;
  };
  const auto expected = [](int taken, double at) {
    char number[32];
    std::snprintf(number, sizeof number, "%.17g", at);
    return "fensi_config_last_reload_successful " + std::to_string(taken) +
           "\nfensi_config_last_reload_success_timestamp_seconds " + number + "\n";
  };
  const double start = static_cast<double>(clock_.WallMillis()) / 1000;
  EXPECT_EQ(told(), expected(1, start));
  clock_.Advance(seconds(5));
  status_.NoteReload(false);
  EXPECT_EQ(told(), expected(0, start));
  status_.NoteReload(true);
  EXPECT_EQ(told(), expected(1, start + 5));
}

std::string DefaultOf(const std::string& flag) {
  if (flag == "log_rows") return "false";
  return flag == "connections" || flag == "workers" ? "4" : "";
}

TEST(ConfigHashTest, IsThatOfTheValuesWhereverTheyComeFrom) {
  const std::string hash = ConfigHash("# from the command line\n--workers=8\n--admin=none\n", {}, DefaultOf);
  EXPECT_EQ(hash.size(), 12u);
  EXPECT_EQ(ConfigHash("--admin=unix:a\n# from fensi.conf:3\n--workers=8\n", {}, DefaultOf), hash);
  EXPECT_NE(ConfigHash("--workers=9\n", {}, DefaultOf), hash);
  EXPECT_NE(ConfigHash("--workers=8\n--connections=1\n", {}, DefaultOf), hash);
  EXPECT_EQ(ConfigHash("--workers=8\n--connections=4\n--log_rows=false\n", {}, DefaultOf), hash)
      << "what is so without them";
}

TEST(LagTest, IsTheAgeOfWhatWaits) {
  PartitionState partition{.applied = 10, .log_end = 10};
  EXPECT_EQ(LagSeconds(partition, 5'000), 0.0);
  partition.log_end = 11;
  EXPECT_EQ(LagSeconds(partition, 5'000), std::nullopt) << "nothing is known of it";
  partition.applied_time = 1'000;
  EXPECT_EQ(LagSeconds(partition, 5'000), 4.0);
  partition.oldest_time = 3'000;
  EXPECT_EQ(LagSeconds(partition, 5'000), 2.0);
  EXPECT_EQ(LagSeconds(partition, 9'000), 6.0) << "it grows while nothing moves";
  EXPECT_EQ(LagSeconds(partition, 2'000), 0.0) << "clocks differ";
}

TEST(ScrubTimeTest, IsWhenAllPartitionsHereAreAtMostTenSecondsBehind) {
  StreamState stream{.partitions = {{.applied = 10, .log_end = 10}, {.applied = 10, .log_end = 11}}, .assigned = 2};
  stream.partitions[1].oldest_time = 20'000;
  EXPECT_EQ(WhyBehind(stream, 30'000), "");
  EXPECT_EQ(WhyBehind(stream, 30'001), "the index is more than 10 s behind, or the clock of this machine is ahead");
  stream.partitions[1].oldest_time.reset();
  EXPECT_EQ(WhyBehind(stream, 30'000), "the lag of the index is unknown");
  stream.assigned = 3;
  EXPECT_EQ(WhyBehind(stream, 30'000), "a partition of the index has not begun yet");
  EXPECT_EQ(WhyBehind(StreamState(), 0), "the daemon has no partition of the index");
}

TEST(FreshnessTest, IsTheLeastOfAllPartitionsHere) {
  StreamState stream{.partitions = {{.fresh_until = 7}, {.fresh_until = 5}}, .assigned = 2};
  EXPECT_EQ(FreshUntil(stream), 5);
  stream.assigned = 3;
  EXPECT_EQ(FreshUntil(stream), std::nullopt) << "one has not begun";
  stream.assigned = 2;
  stream.partitions[0].fresh_until.reset();
  EXPECT_EQ(FreshUntil(stream), std::nullopt) << "one does not know";
  EXPECT_EQ(FreshUntil(StreamState()), std::nullopt);
}

}  // namespace
}  // namespace fensi::daemon
