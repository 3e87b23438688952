// What `fensi check --online` prints, and when it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operations/tables/online_check.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

TEST(OnlineRun, WithoutAServerThereIsNothingToCompareWith) {
  EXPECT_EQ(CheckOnline({}, {}).code(), StatusCode::kInvalidArgument);
}

TEST(OnlineRun, OnlyErrorsFail) {
  RecordedConsole console;
  EXPECT_TRUE(PrintFindings({{.about = "topic t", .text = "old"}}, false).ok());
  EXPECT_EQ(console.TakeData(), "online warning: topic t: old\n");
  const Status failed = PrintFindings({{true, "i", "table t", "missing"}, {.about = "topic t", .text = "old"}}, true);
  EXPECT_EQ(failed.code(), StatusCode::kConfiguration);
  EXPECT_THAT(failed.message(), HasSubstr("1 error in the tables and topics"));
  EXPECT_THAT(console.TakeData(), HasSubstr(R"({"online":"error","index":"i","about":"table t","text":"missing"})"));
}

}  // namespace
}  // namespace fensi::operations
