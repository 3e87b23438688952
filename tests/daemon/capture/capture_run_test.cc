// What a capture refuses before it reaches any server, and the plan that it shows.
#include "daemon/capture/capture_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

CaptureRunOptions Options() {
  CaptureRunOptions options;
  options.capture.listen = {"127.0.0.1:0"};
  options.capture.zookeeper = "zk1:2181";
  return options;
}

TEST(CaptureRun, ThePlanNamesThePeerAndItsTables) {
  CaptureRun run(Options());
  ASSERT_TRUE(run.Check({"guanzhu"}).ok());
  const Result<std::string> plan = run.Plan();
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(*plan, HasSubstr("zk1:2181:/fensi"));
  EXPECT_THAT(*plan, HasSubstr("guanzhu"));
  EXPECT_THAT(*plan, HasSubstr("FAMILY"));
}

TEST(CaptureRun, NeedsTheBrokersToRun) {
  CaptureRun run(Options());
  ASSERT_TRUE(run.Check({"guanzhu"}).ok());
  EXPECT_THAT(run.Run().status().message(), HasSubstr("--kafka is missing"));
}

TEST(CaptureRun, ItsHeartbeatTableIsInAStoreAndNotCaptured) {
  CaptureRunOptions options = Options();
  options.heartbeat_table = "beat";
  EXPECT_THAT(CheckHeartbeat(options, {"guanzhu"}).message(), HasSubstr("--heartbeat_table requires --store"));
  options.store.url = "thrift://127.0.0.1:9090";
  EXPECT_TRUE(CheckHeartbeat(options, {"guanzhu"}).ok());
  EXPECT_THAT(CheckHeartbeat(options, {"guanzhu", "beat"}).message(), HasSubstr("--heartbeat_table beat is captured"));
  EXPECT_EQ(CaptureRun(options).Check({"guanzhu", "beat"}).code(), StatusCode::kInvalidArgument);
}

TEST(CaptureRun, FensisOwnTablesAreNotCaptured) {
  EXPECT_EQ(CaptureRun(Options()).Check({"fensi_meta"}).code(), StatusCode::kConfiguration);
}

}  // namespace
}  // namespace fensi::daemon
