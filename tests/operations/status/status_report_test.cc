// What `fensi status` prints, and when an index needs a person.
#include "operations/status/status_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

constexpr int64_t kNoon = 1'700'000'100'000;

GroupStanding RunningGroup() {
  GroupStanding group{
      .index = "fensi", .topic = "guanzhu", .group = "fensi-fensi", .group_state = "Stable", .members = 1};
  group.partitions = {{.log_start = 0, .log_end = 10, .committed = 10}};
  group.begun = true;
  return group;
}

TEST(StatusReport, AnIndexThatFollowsIsNoTrouble) {
  RecordedConsole console;
  EXPECT_FALSE(ReportStandings({RunningGroup()}, {}, kNoon));
  EXPECT_THAT(console.TakeData(), HasSubstr("fensi"));
  EXPECT_EQ(console.TakeMessages(), "");
}

TEST(StatusReport, AnIndexThatIsLaterThanAllowedIsTrouble) {
  RecordedConsole console;
  GroupStanding late = RunningGroup();
  late.partitions[0].committed = 9;
  late.partitions[0].next_time = kNoon - 7'000;
  EXPECT_FALSE(ReportStandings({late}, {.max_lag_s = 10}, kNoon));
  EXPECT_TRUE(ReportStandings({RunningGroup(), late}, {.json = true, .max_lag_s = 5}, kNoon));
  EXPECT_THAT(console.TakeData(), HasSubstr(R"("index":"fensi")"));
  EXPECT_THAT(console.TakeMessages(), HasSubstr("index fensi: "));
}

TEST(StatusReport, EachDaemonThatWasNamedMustAnswer) {
  RecordedConsole console;
  Daemons daemons;
  daemons.faults.push_back(Status(StatusCode::kUnavailable, "10.0.0.1:16180 does not answer"));
  const Status refused = ReportAnswers(daemons, true, {}).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnavailable);
  EXPECT_THAT(refused.message(), HasSubstr("1 of the daemons that were named"));
  EXPECT_THAT(console.TakeMessages(), HasSubstr("10.0.0.1:16180 does not answer"));
}

}  // namespace
}  // namespace fensi::operations
