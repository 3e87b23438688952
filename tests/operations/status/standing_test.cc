// One standing of an index out of what several daemons say.
#include "operations/status/standing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operations/status/status_text.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kAnswered = 62'000;

ordered_json PartitionOf(int64_t number, int64_t events, const ordered_json& seconds, bool full = false) {
  return {{"partition", number}, {"lag_records", events}, {"lag_seconds", seconds}, {"queue_full", full}};
}

ordered_json IndexOf(const std::string& state, int64_t owned, const ordered_json& partitions,
                     const ordered_json& complete = nullptr) {
  return {{"name", "fensi"},
          {"state", state},
          {"waits_for", ""},
          {"events", 5},
          {"open_dead_letters", {{"undecodable", 1}, {"rejected", 2}}},
          {"complete_ms", complete},
          {"topic_partitions", 4},
          {"assigned_partitions", owned},
          {"partitions", partitions}};
}

Daemon DaemonOf(const std::string& place, const ordered_json& index) {
  return {place, {{"format", 1}, {"now_ms", kAnswered}, {"indexes", ordered_json::array({index})}}};
}

IndexStanding OnlyIndex(const std::vector<Daemon>& daemons) {
  const Result<Standings> standings = StandingsOf(daemons);
  EXPECT_TRUE(standings.ok()) << standings.status().ToString();
  return standings.ok() && standings->indexes.size() == 1 ? standings->indexes[0] : IndexStanding();
}

TEST(StandingTest, IsOfAllDaemonsOfAnIndexTogether) {
  const IndexStanding index =
      OnlyIndex({DaemonOf("one:1", IndexOf("running", 1,
                                           ordered_json::array({PartitionOf(0, 7, 2.5), PartitionOf(1, 0, 0)}), 2000)),
                 DaemonOf("two:2", IndexOf("waiting", 2, ordered_json::array({PartitionOf(2, 3, 9.0, true)}), 1000))});
  EXPECT_EQ(index.state, "running");
  EXPECT_EQ(index.daemons, 2);
  EXPECT_EQ(index.partitions, 4);
  EXPECT_EQ(index.owned_partitions, 3);
  EXPECT_EQ(index.dead_letters, 3) << "each daemon tells of all that are open";
  EXPECT_EQ(index.complete, 2000) << "each daemon has the watermark of the whole index";
  EXPECT_EQ(index.EventsBehind(), 10);
  EXPECT_EQ(index.SecondsBehind(), 9.0);
  ASSERT_EQ(index.behind.size(), 2u);
  EXPECT_EQ(index.behind[0].partition, 2);
  EXPECT_EQ(index.behind[0].place, "two:2");
}

TEST(StandingTest, ACaptureThatLivesIsNoDaemonThatRuns) {
  const Daemon capture{"two:2", {{"format", 1}, {"capture", ordered_json::object()}}};
  EXPECT_EQ(CheckAnyRuns({{capture}, {}}).code(), StatusCode::kUnavailable);
  EXPECT_THAT(CheckAnyRuns({{capture}, {}}).message(), ::testing::HasSubstr("no 'fensi run' answers"));
  EXPECT_TRUE(CheckAnyRuns({{capture, DaemonOf("one:1", IndexOf("running", 1, ordered_json::array()))}, {}}).ok());
}

TEST(StandingTest, ACaptureSaysSinceWhenKafkaDoesNotAnswer) {
  ordered_json capture = {{"registered", true},   {"connections", 2},
                          {"calls", 1},           {"events", 10},
                          {"cells", 10},          {"alarms", 0},
                          {"newest_write_ms", 0}, {"kafka", {{"reachable", false}, {"since_ms", 1'000}}}};
  const auto text = [&] { return StatusText(*StandingsOf({{"two:2", {{"format", 1}, {"capture", capture}}}})); };
  EXPECT_THAT(text(), ::testing::HasSubstr("Kafka has not answered since 1970-01-01T00:00:01.000Z"));
  capture["kafka"] = {{"reachable", true}, {"since_ms", nullptr}};
  EXPECT_THAT(text(), ::testing::Not(::testing::HasSubstr("Kafka")));
  capture.erase("kafka");
  EXPECT_THAT(text(), ::testing::Not(::testing::HasSubstr("Kafka"))) << "one of an older fensi";
}

TEST(StandingTest, DeadLettersAreNotKnownUntilADaemonHasCountedThem) {
  ordered_json one = IndexOf("running", 1, ordered_json::array());
  one["open_dead_letters"] = nullptr;
  EXPECT_EQ(OnlyIndex({DaemonOf("one:1", one)}).dead_letters, std::nullopt);
  ordered_json two = one;
  two["open_dead_letters"] = ordered_json::object();
  EXPECT_EQ(OnlyIndex({DaemonOf("one:1", one), DaemonOf("two:2", two)}).dead_letters, 0);
}

TEST(StandingTest, AWatermarkThatStandsStillIsNamedWhenNothingIsBehind) {
  const auto text = [](const ordered_json& complete, int64_t behind, const char* state = "running", int64_t owned = 4) {
    const ordered_json partitions = ordered_json::array({PartitionOf(0, behind, 0)});
    return StatusText(*StandingsOf({DaemonOf("one:1", IndexOf(state, owned, partitions, complete))}));
  };
  const auto is_named = ::testing::HasSubstr("the watermark is 1 m 1 s old");
  EXPECT_THAT(text(1'000, 0), is_named);
  EXPECT_THAT(text(1'000, 0), ::testing::HasSubstr("1970-01-01T00:00:01.000Z"));
  EXPECT_THAT(text(2'000, 0), ::testing::Not(::testing::HasSubstr("watermark")));
  EXPECT_THAT(text(1'000, 5), ::testing::Not(::testing::HasSubstr("watermark"))) << "they are what it waits for";
  EXPECT_THAT(text(nullptr, 0), ::testing::Not(::testing::HasSubstr("watermark"))) << "its stream has none";
  EXPECT_THAT(text(1'000, 0, "stopped"), ::testing::Not(::testing::HasSubstr("watermark")));
  EXPECT_THAT(text(1'000, 0, "running", 3), ::testing::Not(::testing::HasSubstr("watermark")))
      << "what waits in the partition of another daemon is not known";
}

ordered_json WithAll(ordered_json index, int64_t events, const ordered_json& seconds) {
  index["lag_records"] = events;
  index["lag_seconds"] = seconds;
  return index;
}

TEST(StandingTest, PartitionsThatADaemonDoesNotShowCount) {
  const ordered_json shown = IndexOf("running", 4, ordered_json::array({PartitionOf(0, 7, 2.5)}));
  const IndexStanding index =
      OnlyIndex({DaemonOf("one:1", WithAll(shown, 50'000, 900.0)), DaemonOf("two:2", WithAll(shown, 7, 2.5))});
  EXPECT_EQ(index.EventsBehind(), 50'007);
  EXPECT_EQ(index.SecondsBehind(), 900.0);
  EXPECT_NE(WhyLate(index, 60), "");
  EXPECT_THAT(StatusText({.indexes = {index}, .captures = {}}),
              testing::HasSubstr("49,993 events behind in partitions beyond the --metrics_partitions of a daemon"));
  EXPECT_EQ(OnlyIndex({DaemonOf("one:1", WithAll(shown, 8, nullptr))}).SecondsBehind(), std::nullopt);
}

TEST(StandingTest, TheMostSeriousStateIsToldWhateverTheOrder) {
  const ordered_json none = ordered_json::array();
  for (const bool stopped_first : {true, false}) {
    std::vector<Daemon> daemons = {DaemonOf("one:1", IndexOf("stopped", 0, none)),
                                   DaemonOf("two:2", IndexOf("running", 4, none))};
    if (!stopped_first) std::swap(daemons[0], daemons[1]);
    EXPECT_TRUE(OnlyIndex(daemons).Stopped());
  }
}

TEST(StandingTest, AnIndexWhoseTableWasMadeAgainIsSoWhateverOtherDaemonsSay) {
  const ordered_json none = ordered_json::array();
  ordered_json mismatch = IndexOf("mismatch", 4, none);
  mismatch["mismatch"] = {{"since_ms", 5}, {"remedy", "verify it"}};
  for (const char* other : {"running", "waiting", "paused", "starting", "finished"}) {
    const IndexStanding index = OnlyIndex({DaemonOf("one:1", mismatch), DaemonOf("two:2", IndexOf(other, 0, none))});
    EXPECT_TRUE(index.mismatch);
    EXPECT_EQ(index.state, "mismatch");
    EXPECT_THAT(StatusText({.indexes = {index}, .captures = {}}), HasSubstr("mismatch: verify it, at one:1"));
  }
  mismatch["state"] = "paused";
  EXPECT_TRUE(OnlyIndex({DaemonOf("one:1", mismatch)}).mismatch);
  EXPECT_FALSE(OnlyIndex({DaemonOf("one:1", IndexOf("running", 4, none))}).mismatch);
}

TEST(StandingTest, WhatNobodyKnowsTheAgeOfIsTheOldest) {
  const IndexStanding index = OnlyIndex({DaemonOf(
      "one:1", IndexOf("running", 4, ordered_json::array({PartitionOf(0, 7, 100.0), PartitionOf(1, 1, nullptr)})))});
  EXPECT_EQ(index.SecondsBehind(), std::nullopt);
  EXPECT_THAT(WhyLate(index, 1000), HasSubstr("does not know the age of its oldest event"));
}

TEST(StandingTest, IsLateByAPartitionWithoutOwnerByAgeAndAtTheStart) {
  const ordered_json none = ordered_json::array();
  const auto late = [](const std::string& state, int64_t owned, const ordered_json& partitions) {
    return WhyLate(OnlyIndex({DaemonOf("one:1", IndexOf(state, owned, partitions))}), 60);
  };
  EXPECT_EQ(late("running", 4, none), "");
  EXPECT_EQ(late("running", 4, ordered_json::array({PartitionOf(0, 1, 60.0)})), "");
  EXPECT_THAT(late("running", 4, ordered_json::array({PartitionOf(0, 1, 60.5)})), HasSubstr("waits for 1 m"));
  EXPECT_THAT(late("running", 3, none), HasSubstr("1 partition without an owner"));
  EXPECT_THAT(late("starting", 4, none), HasSubstr("starting"));
}

TEST(StandingTest, AStatusOfAnotherShapeNamesItsDaemon) {
  for (const auto& indexes : {ordered_json("text"), ordered_json::array({1}), ordered_json::array({{{"name", 1}}}),
                              ordered_json::array({{{"name", "x"}, {"state", nullptr}}})}) {
    const Result<Standings> standings = StandingsOf({{"one:1", {{"format", 1}, {"indexes", indexes}}}});
    ASSERT_FALSE(standings.ok()) << indexes;
    EXPECT_THAT(standings.status().message(), HasSubstr("one:1"));
  }
}

TEST(StatusTextTest, ShowsWhatAPersonAsksFor) {
  ordered_json stopped = IndexOf("stopped", 0, ordered_json::array({PartitionOf(3, 1234, 75.0, true)}));
  stopped["reason"] = "configuration";
  stopped["remedy"] = "look at its log";
  const ordered_json capture = {
      {"registered", false}, {"connections", 2}, {"events", 1000}, {"alarms", 1}, {"newest_write_ms", 0}};
  const Result<Standings> standings =
      StandingsOf({DaemonOf("one:1", stopped), {"two:2", {{"format", 1}, {"capture", capture}}}});
  ASSERT_TRUE(standings.ok());
  EXPECT_EQ(StatusText(*standings),
            "INDEX  STATE    DAEMONS  PARTITIONS  BEHIND  OLDEST    COMPLETE TO  DEAD LETTERS\n"
            "fensi  stopped  1        0 of 4      1,234   1 m 15 s  -            3\n"
            "  fensi: stopped, configuration: look at its log, at one:1\n"
            "  fensi: partition 3: 1,234 events behind, the oldest 1 m 15 s, queue full, at one:1\n"
            "capture at two:2: region servers may not find it, 2 connections, 1,000 events, newest write not seen yet, "
            "1 alarm\n");
}

TEST(StatusTextTest, OfManyPartitionsTheOldestAreShownAndTheRestCounted) {
  ordered_json partitions = ordered_json::array();
  for (int i = 0; i < 2000; ++i) partitions.push_back(PartitionOf(i, 1, static_cast<double>(i)));
  const Result<Standings> standings = StandingsOf({DaemonOf("one:1", IndexOf("running", 4, partitions))});
  ASSERT_TRUE(standings.ok());
  EXPECT_THAT(StatusText(*standings),
              AllOf(HasSubstr("partition 1999:"), Not(HasSubstr("partition 5:")), HasSubstr("1,990 partitions more")));
}

TEST(StatusTextTest, WhatADaemonSaysDoesNotSteerTheTerminal) {
  ordered_json index = IndexOf("run\x1b[31m", 4, ordered_json::array());
  index["name"] = "x\n\x1b]0;title\x07";
  const Result<Standings> standings = StandingsOf({DaemonOf("one:1", index)});
  ASSERT_TRUE(standings.ok());
  EXPECT_THAT(StatusText(*standings), AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07"))));
}

TEST(Standing, ServersOfHBaseInTroubleAreNamed) {
  ordered_json index = IndexOf("running", 4, ordered_json::array());
  const auto server = [](const char* address, const char* trouble, int in_flight, int waiting) {
    return ordered_json{
        {"server", address}, {"trouble", trouble}, {"calls_in_flight", in_flight}, {"calls_waiting", waiting}};
  };
  index["hbase_servers_in_trouble"] = {server("rs1:16020", "rs1:16020 closed the connection", 0, 1),
                                       server("rs2:16020", "", 32, 7)};
  const Result<Standings> standings = StandingsOf({DaemonOf("here", index)});
  ASSERT_TRUE(standings.ok()) << standings.status().ToString();
  const std::vector<Remark>& remarks = standings->indexes.front().remarks;
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0].text, "HBase's server rs1:16020 (1 call waiting): rs1:16020 closed the connection");
  EXPECT_EQ(remarks[1].text,
            "HBase's server rs2:16020 (7 calls waiting): slow, 32 calls sent and not answered. If it lasts, read the "
            "log of that server");
}

}  // namespace
}  // namespace fensi::operations
