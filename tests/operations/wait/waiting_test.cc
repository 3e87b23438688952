// M20: when an index is complete up to a time.
#include "operations/wait/waiting.h"

#include <gmock/gmock.h>

#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class WaitingTest : public ::testing::Test {
 protected:
  void MarkAt(int64_t time) { EXPECT_TRUE(world_.record("i").NoteComplete(world_.incarnation, time).ok()); }
  Result<int> Wait(const WaitOptions& options) { return Waiting(world_.index.get(), world_.store, options).Run(); }

  RecordedConsole console_;
  const BegunIndex world_;
  const int64_t now_ = SystemClock()->WallMillis();
};

TEST_F(WaitingTest, EndsAsSoonAsTheMarkIsPastTheTime) {
  MarkAt(now_);
  EXPECT_EQ(*Wait({.until = now_ - 1}), kExitDone);
  EXPECT_THAT(console_.TakeData(), HasSubstr("Z\n"));
}

TEST_F(WaitingTest, AMarkAtTheTimeItselfIsNotPastIt) {
  MarkAt(now_);
  const Status late = Wait({.until = now_}).status();
  EXPECT_EQ(late.code(), StatusCode::kCancelled);
  EXPECT_THAT(late.message(), HasSubstr("the watermark of index i is "));
}

TEST_F(WaitingTest, AClockThatIsBehindTheServersProvesNothing) {
  MarkAt(now_ + 600'000);
  const Status refused = Wait({.until = now_, .until_now = true}).status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("--until now proves nothing"));
  EXPECT_EQ(*Wait({.until = now_}), kExitDone) << "a time that a person named";
}

TEST_F(WaitingTest, WithoutAMarkNothingIsKnown) {
  const Status unknown = Wait({.until = now_}).status();
  EXPECT_EQ(unknown.code(), StatusCode::kConfiguration);
  EXPECT_THAT(unknown.message(), HasSubstr("index i has no watermark in table fensi_meta"));
}

TEST_F(WaitingTest, AMarkOfAnIndexThatHadTheNameBeforeDoesNotCount) {
  ASSERT_TRUE(world_.record("i").Register({.incarnation = "another"}).ok());
  ASSERT_TRUE(world_.record("i").NoteComplete("another", now_ + 1000).ok());
  EXPECT_EQ(Wait({.until = now_}).status().code(), StatusCode::kConfiguration);
}

}  // namespace
}  // namespace fensi::operations
