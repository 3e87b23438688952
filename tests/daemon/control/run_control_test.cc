// What a client learns of a change that failed.
#include "daemon/control/run_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <new>
#include <stdexcept>

#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

using ::testing::Not;

TEST(NotChangedTest, OnlyAStoreThatDidNotAnswerMayStillApplyAPause) {
  const admin::Verdict late = NotChanged("x", Status(StatusCode::kUnavailable, "region server h:1 is silent"));
  EXPECT_EQ(late.status, 503);
  EXPECT_THAT(late.body, HasSubstr("may still apply it (region server h:1 is silent). Check the state of index x"));
  const admin::Verdict denied = NotChanged("x", Status(StatusCode::kPermission, "the user lacks the right to put"));
  EXPECT_EQ(denied.status, 500);
  EXPECT_THAT(denied.body, HasSubstr("the pause of index x is not changed: the user lacks the right to put"));
  EXPECT_THAT(denied.body, Not(HasSubstr("may still")));
}

/// The answer to a reload that throws.
template <typename Exception>
admin::Verdict AfterReload(const Exception& exception) {
  const IndexRunList runs;
  std::promise<admin::Verdict> answer;
  RunControl control(runs, {}, [&](const std::function<bool()>&) -> admin::Verdict { throw exception; });
  control.Carry({.kind = admin::Wish::Kind::kReload, .index = {}, .reason = {}},
                [&](admin::Verdict verdict) { answer.set_value(std::move(verdict)); });
  return answer.get_future().get();
}

TEST(RunControlTest, AnExceptionIsNotAlwaysALackOfMemory) {
  EXPECT_THAT(AfterReload(std::bad_alloc()).body, HasSubstr("the request failed: out of memory"));
  const admin::Verdict other = AfterReload(std::logic_error("no such piece"));
  EXPECT_EQ(other.status, 500);
  EXPECT_THAT(other.body, HasSubstr("the request failed: internal error: no such piece"));
}

}  // namespace
}  // namespace fensi::daemon
