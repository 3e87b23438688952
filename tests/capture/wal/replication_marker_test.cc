#include "capture/wal/replication_marker.h"

#include <gtest/gtest.h>

#include <string>

#include "capture/marks/mark_collector.h"
#include "tests/doubles/fake_clock.h"

namespace fensi::capture {
namespace {

std::optional<ReplicationMarker> Of(const std::string& row) {
  return ReplicationMarkerOf({.row = row, .family = "METAFAMILY", .qualifier = "HBASE::REPLICATION_MARKER"});
}

TEST(ReplicationMarker, NamesAServerAndATimeOfItsClock) {
  const std::string row = "rs_7.example.org,16020,1732000000000_1732000001234";
  const auto marker = Of(row);
  ASSERT_TRUE(marker);
  EXPECT_EQ(marker->server, "rs_7.example.org,16020,1732000000000");
  EXPECT_EQ(marker->time, 1732000001234);
}

TEST(ReplicationMarker, IsNoOtherCell) {
  const std::string row = "a,1,2_3";
  EXPECT_TRUE(Of(row));
  EXPECT_FALSE(ReplicationMarkerOf({.row = row, .family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD"}));
  EXPECT_FALSE(ReplicationMarkerOf({.row = row, .family = "f1", .qualifier = "HBASE::REPLICATION_MARKER"}));
}

TEST(ReplicationMarker, WhoseRowIsNoneIsNone) {
  for (const std::string row : {"", "_", "a,1,2", "a,1,2_", "_3", "a,1_3", "a,1,2_-3", "a,1,2_0", "a,1,2_3x",
                                "a,1,2_99999999999999999999", "a,1,b_3", ",1,2_3", "a,70000,2_3"}) {
    EXPECT_FALSE(Of(row)) << row;
  }
  EXPECT_FALSE(Of(std::string(300, 'a') + ",1,2_3"));
  EXPECT_FALSE(Of(std::string(32'000, 'a') + ",1,2_3"));
}

CallMarkers Markers(std::initializer_list<std::pair<std::string_view, int64_t>> markers) {
  CallMarkers call;
  for (const auto& [server, time] : markers) call.Note({server, time});
  return call;
}

TEST(MarkCollector, KeepsOfEachCallTheFirstAndTheLastMarkerOfAServer) {
  FakeClock clock;
  MarkCollector collector(&clock);
  EXPECT_FALSE(collector.any());
  collector.Add(Markers({{"a,1,2", 20}, {"a,1,2", 10}, {"b,1,2", 5}, {"a,1,2", 15}}));
  collector.Add(Markers({{"a,1,2", 30}}));
  using Call = consumer::Mark::Call;
  EXPECT_EQ(collector.Take(), (std::vector<Call>{{"a,1,2", 10, 20}, {"b,1,2", 5, 5}, {"a,1,2", 30, 30}}));
  EXPECT_TRUE(collector.Take().empty());
  EXPECT_TRUE(collector.any());
}

// It would vouch for changes that are made after the clock is right again.
TEST(MarkCollector, LeavesMarkersOfAClockThatIsAheadOutAndNamesIt) {
  FakeClock clock;
  MarkCollector collector(&clock);
  const int64_t now = clock.WallMillis();
  collector.Add(Markers({{"a,1,2", now + MarkCollector::kMostAhead + 1}, {"b,1,2", now}}));
  EXPECT_EQ(collector.Take(), (std::vector<consumer::Mark::Call>{{"b,1,2", now, now}}));
  EXPECT_EQ(collector.ahead(), "a,1,2");
  collector.Add(Markers({{"a,1,2", now}}));
  EXPECT_EQ(collector.ahead(), "");
}

TEST(MarkCollector, TakesNoMemoryForAnyNumberOfServers) {
  FakeClock clock;
  MarkCollector collector(&clock);
  for (int call = 0; call < 100; ++call) {
    CallMarkers markers;
    for (int i = 0; i < 5'000; ++i) {
      const std::string server = "s" + std::to_string(i) + ",1," + std::to_string(call);
      markers.Note({server, 1});
    }
    EXPECT_EQ(markers.calls().size(), CallMarkers::kMostServers);
    collector.Add(markers);
  }
  EXPECT_EQ(collector.Take().size(), MarkCollector::kMostCalls);
}

}  // namespace
}  // namespace fensi::capture
