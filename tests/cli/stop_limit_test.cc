// A stop signal ends a command within 5 s, whatever it waits for.
#include "cli/jobs/stop_limit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/status.h"
#include "cli/run/signals.h"

namespace fensi::cli {
namespace {

/// A command that waits for a server for ever, and takes the signal or not.
[[noreturn]] void WaitForEver(bool takes_signals) {
  BlockStopSignals();
  const StopLimit limit("verify");
  kill(getpid(), SIGTERM);
  while (true) {
    if (takes_signals) AwaitStopSignal(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST(StopLimitDeathTest, EndsACommandThatIsDeafToIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const bool takes_signals : {false, true}) {
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EXIT(WaitForEver(takes_signals), ::testing::ExitedWithCode(ExitCode(StatusCode::kCancelled)),
                "verify: stopped; a server that it waited for did not answer within 4 s");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30)) << "a busy machine needs its time";
  }
}

TEST(StopLimit, LeavesACommandThatEndsInTimeAlone) {
  BlockStopSignals();
  { const StopLimit limit("verify"); }
  EXPECT_FALSE(StopIsAsked());
}

}  // namespace
}  // namespace fensi::cli
