// What `fensi run` refuses before it opens a store or a stream.
#include "daemon/index_daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

TEST(IndexDaemon, WorkWithoutEndBelongsToADaemon) {
  RunOptions options;
  options.start.source.url = "file:events.jsonl";
  EXPECT_TRUE(CheckDaemonOptions(options).ok());
  options.drop_expired = true;
  EXPECT_THAT(CheckDaemonOptions(options).message(), HasSubstr("--drop_expired is only for a run without end"));
  options.drop_expired = false;
  options.scrub_rows_per_second = 1;
  EXPECT_THAT(CheckDaemonOptions(options).message(),
              HasSubstr("--scrub_rows_per_second is only for a run without end"));
  options.start.source.follow = true;
  EXPECT_TRUE(CheckDaemonOptions(options).ok());
  options.drop_expired = true;
  EXPECT_TRUE(CheckDaemonOptions(options).ok());
}

TEST(IndexDaemon, ARepairBelongsToAScrub) {
  RunOptions options;
  options.start.source.url = "kafka://127.0.0.1:9092";
  options.scrub_repair = true;
  EXPECT_THAT(CheckDaemonOptions(options).message(), HasSubstr("--scrub_repair requires --scrub_rows_per_second"));
}

TEST(IndexDaemon, AMissingMappingFileEndsItBeforeAnythingIsOpened) {
  IndexDaemonOptions options;
  options.run.start.source.url = "file:events.jsonl";
  options.paths = {"no/such/mapping.yaml"};
  EXPECT_EQ(IndexDaemon(std::move(options)).Run().status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace fensi::daemon
