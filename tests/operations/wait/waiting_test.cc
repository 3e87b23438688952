// M20: when an index is complete up to a time.
#include "operations/wait/waiting.h"

#include <gmock/gmock.h>

#include <thread>

#include "store/wrapped_store.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

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

/// Answers nothing until the permission of a call is taken back.
class SilentStore final : public store::DelegatingStore {
 public:
  using DelegatingStore::DelegatingStore;
  std::unique_ptr<store::Store> Guarded(std::function<Status()> permission) override {
    auto view = std::make_unique<SilentStore>(behind());
    view->permission_ = std::move(permission);
    return view;
  }
  Result<std::vector<store::Row>> Get(const std::string&, std::span<const store::GetRequest>) override {
    Status granted;
    while ((granted = permission_()).ok()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return granted;
  }

 private:
  std::function<Status()> permission_;
};

TEST_F(WaitingTest, ASilentServerDoesNotLengthenIt) {
  MarkAt(now_);
  const auto silent = std::make_shared<SilentStore>(world_.store);
  const auto began = SystemClock()->MonotonicNow();
  const Status late = Waiting(world_.index.get(), silent, {.until = now_, .timeout = milliseconds(50)}).Run().status();
  EXPECT_EQ(late.code(), StatusCode::kUnavailable);
  EXPECT_THAT(late.message(), HasSubstr("--timeout_s is over, and the server with table fensi_meta"));
  EXPECT_LT(SystemClock()->MonotonicNow() - began, std::chrono::seconds(10));
}

}  // namespace
}  // namespace fensi::operations
