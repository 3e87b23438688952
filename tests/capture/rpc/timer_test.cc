#include "capture/rpc/timer.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

/// Both timers are due before anybody looks, so that the second's expiry is on its way when the first's step runs.
class TimerTest : public ::testing::Test {
 protected:
  template <typename Step>
  void RunWhenBothAreDue(Step step) {
    first_.Start(milliseconds(1), std::move(step));
    second_->Start(milliseconds(2), [this] { seen_ += "second "; });
    std::this_thread::sleep_for(milliseconds(20));
    io_.run();
  }

  boost::asio::io_context io_;
  std::string seen_;
  Timer first_{io_};
  std::optional<Timer> second_{std::in_place, io_};
};

TEST_F(TimerTest, CallsWhatItWasGiven) {
  RunWhenBothAreDue([this] { seen_ += "first "; });
  EXPECT_EQ(seen_, "first second ");
}

TEST_F(TimerTest, ThatIsStoppedWhenItIsDueSaysNothing) {
  RunWhenBothAreDue([this] { second_->Stop(); });
  EXPECT_EQ(seen_, "");
}

TEST_F(TimerTest, ThatIsStartedAnewWhenItIsDueSaysOnlyTheNew) {
  RunWhenBothAreDue([this] { second_->Start(milliseconds(1), [this] { seen_ += "new "; }); });
  EXPECT_EQ(seen_, "new ");
}

TEST_F(TimerTest, ThatIsGoneWhenItIsDueSaysNothing) {
  RunWhenBothAreDue([this] { second_.reset(); });
  EXPECT_EQ(seen_, "");
}

TEST_F(TimerTest, MayBeStartedAndGoInItsOwnStep) {
  second_->Start(milliseconds(0), [this] {
    second_->Start(milliseconds(0), [this] {
      seen_ += "again ";
      second_.reset();
    });
  });
  io_.run();
  EXPECT_EQ(seen_, "again ");
}

}  // namespace
}  // namespace fensi::capture
