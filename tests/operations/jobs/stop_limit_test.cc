// A stop signal ends a command within 5 s, whatever it waits for.
#include "operations/jobs/stop_limit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string_view>
#include <thread>

#include "base/status.h"
#include "operations/console/console.h"
#include "operations/jobs/signals.h"

namespace fensi::operations {
namespace {

/// Where a death test looks for what the process said.
class StandardError final : public Console {
 public:
  void Print(std::string_view) override {}
  void Say(std::string_view text) override { std::cerr << text << std::endl; }
  void Diagnose(std::string_view text) override { std::cerr << text; }
  Status Flush() override { return {}; }
  bool MayDraw() const override { return false; }
  void Draw(std::string_view) override {}
  void Erase() override {}
  void WriteAbove(std::string_view line) override { std::cerr << line; }
};

/// A command that waits for a server for ever, and takes the signal or not.
[[noreturn]] void WaitForEver(bool takes_signals) {
  StandardError console;
  UseConsole(&console);
  BlockStopSignals();
  const StopLimit limit("verify", "orders", "To continue, run it again");
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
    EXPECT_EXIT(
        WaitForEver(takes_signals), ::testing::ExitedWithCode(ExitCode(StatusCode::kCancelled)),
        "verify: index orders: stopped 4 s after the stop signal, before the work in flight ended. To continue, run "
        "it again");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30)) << "a busy machine needs its time";
  }
}

TEST(StopLimit, LeavesACommandThatEndsInTimeAlone) {
  BlockStopSignals();
  { const StopLimit limit("verify", "orders", ""); }
  EXPECT_FALSE(StopIsAsked());
}

}  // namespace
}  // namespace fensi::operations
