// What `fensi status` says of an index by Kafka and its store alone.
#include "operations/status/group_standing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::operations {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kNow = 1'700'000'100'000;

GroupStanding Working() {
  GroupStanding group{
      .index = "fensi", .topic = "guanzhu", .group = "fensi-fensi", .group_state = "Stable", .members = 2};
  group.partitions = {{.log_start = 0, .log_end = 10, .committed = 10},
                      {.log_start = 5, .log_end = 20, .committed = 20}};
  group.begun = true;
  return group;
}

TEST(GroupStandingTest, AtTheEndNothingIsBehindAndNobodyHasToLook) {
  const GroupStanding group = Working();
  EXPECT_EQ(group.State(), "running");
  EXPECT_EQ(group.EventsBehind(), 0);
  EXPECT_EQ(group.SecondsBehind(kNow), 0.0);
  EXPECT_EQ(WhyInTrouble(group, 1, kNow), "");
}

TEST(GroupStandingTest, WhatWaitsIsCountedFromTheCommitOrFromWhatTheLogStillHas) {
  GroupStanding group = Working();
  group.partitions[0].committed.reset();
  group.partitions[1].committed = 2;  // what was there is gone
  EXPECT_EQ(group.EventsBehind(), 10 + 15);
  EXPECT_EQ(group.SecondsBehind(kNow), std::nullopt);
  EXPECT_THAT(WhyInTrouble(group, 1, kNow), HasSubstr("fensi does not know the age of its oldest event"));
  EXPECT_EQ(WhyInTrouble(group, 0, kNow), "") << "it was not asked how late it is";
  group.partitions[0].next_time = kNow - 7'000;
  group.partitions[1].next_time = kNow - 65'000;
  EXPECT_EQ(group.SecondsBehind(kNow), 65.0);
  EXPECT_THAT(WhyInTrouble(group, 60, kNow), HasSubstr("its oldest event waits for 1 m 5 s, more than 1 m 0 s"));
  EXPECT_EQ(WhyInTrouble(group, 65, kNow), "");
}

TEST(GroupStandingTest, SomebodyHasToLookWhereNobodyWorksOrSomethingIsWrong) {
  GroupStanding group = Working();
  group.members = 0;
  EXPECT_EQ(group.State(), "unassigned");
  EXPECT_EQ(WhyInTrouble(group, 0, kNow), "no daemon has the index: start 'fensi run'");
  group.mismatch = true;
  EXPECT_EQ(group.State(), "mismatch");
  EXPECT_THAT(WhyInTrouble(group, 0, kNow), HasSubstr("its table was dropped and created again"));
  group.mismatch = false;
  group.paused = "anna, …: upgrade";
  EXPECT_EQ(group.State(), "paused");
  EXPECT_EQ(WhyInTrouble(group, 0, kNow), "") << "that is wanted";
  group.begun = false;
  EXPECT_EQ(group.State(), "new");
  group.faults = {"index fensi was begun with another definition"};
  EXPECT_EQ(group.State(), "misconfigured");
  EXPECT_EQ(WhyInTrouble(group, 0, kNow), group.faults[0]);
}

TEST(GroupStandingTest, ForPeopleEachHasALineAndWhatThereIsToSay) {
  GroupStanding group = Working();
  group.partitions[1].committed = 19;
  group.partitions[1].next_time = kNow - 400;
  group.letters["unmappable"] = {3, 1, 0};
  group.phase = "live";
  const std::string text = GroupsText({group}, kNow);
  EXPECT_THAT(text, HasSubstr("fensi  running  2        2           1       0.4 s   -            3\n"));
  EXPECT_THAT(text, HasSubstr("  fensi: phase live, no watermark\n"));
  EXPECT_THAT(text, HasSubstr("  fensi: dead letters: 3 unmappable; "));
  EXPECT_THAT(text, HasSubstr("  fensi: partition 1: 1 event behind, the oldest 0.4 s\n"));
  EXPECT_THAT(text, Not(HasSubstr("partition 0")));
  const auto json = GroupJson(group, kNow);
  EXPECT_EQ(json["dead_letters"]["unmappable"]["retried"], 1);
  EXPECT_EQ(json["partitions"][1]["lag_records"], 1);
  EXPECT_TRUE(json["complete_ms"].is_null());
}

TEST(GroupStandingTest, WordsOfOthersNeitherSteerTheTerminalNorPassForLines) {
  GroupStanding group = Working();
  group.paused = "eve\n  fensi: all is well\x1b[2J";
  group.faults = {"a\x1b[2J\nfensi  working"};
  const std::string text = GroupsText({group}, kNow);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\nfensi  working")));
}

}  // namespace
}  // namespace fensi::operations
