// A capture notices that Kafka does not answer, within 15 s and whatever its tables do.
#include "cli/capture/kafka_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/doubles/fake_clock.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class KafkaWatchTest : public ::testing::Test {
 protected:
  /// Seconds go by, and each question is answered before the next.
  void Pass(int passed) {
    for (int second = 0; second < passed; ++second) {
      clock_.Advance(seconds(1));
      const int before = *asked_;
      watch_.Tick();
      for (int i = 0; i < 5 && *asked_ == before; ++i) std::this_thread::sleep_for(milliseconds(1));
      watch_.Tick();
    }
  }

  FakeClock clock_;
  // Shared with threads that nobody waits for.
  std::shared_ptr<std::atomic<StatusCode>> says_ = std::make_shared<std::atomic<StatusCode>>(StatusCode::kOk);
  std::shared_ptr<std::atomic<int>> asked_ = std::make_shared<std::atomic<int>>(0);
  KafkaWatch watch_{[says = says_, asked = asked_] {
                      ++*asked;
                      const StatusCode code = *says;
                      return code == StatusCode::kOk ? Status() : Status(code, "no answer");
                    },
                    &clock_};
};

TEST_F(KafkaWatchTest, AnOutageIsNoticedWithin15SecondsAndSoIsItsEnd) {
  Pass(60);
  EXPECT_FALSE(watch_.away());
  *says_ = StatusCode::kUnavailable;
  Pass(15);
  EXPECT_TRUE(watch_.away());
  EXPECT_GE(watch_.silence(), seconds(10));
  *says_ = StatusCode::kOk;
  Pass(8);
  EXPECT_FALSE(watch_.away());
}

TEST_F(KafkaWatchTest, ARefusalIsAnAnswer) {
  *says_ = StatusCode::kPermission;
  Pass(60);
  EXPECT_FALSE(watch_.away());
}

}  // namespace
}  // namespace fensi::cli
