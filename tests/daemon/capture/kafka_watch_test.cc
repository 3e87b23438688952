// A capture notices that Kafka does not answer, within 15 s and whatever its tables do.
#include "daemon/capture/kafka_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "tests/doubles/fake_clock.h"

namespace fensi::daemon {
namespace {

using std::chrono::seconds;

class KafkaWatchTest : public ::testing::Test {
 protected:
  /// So often it is time for a question; each is asked before time goes on, and its answer is taken at the next.
  void Pass(int questions) {
    for (int i = 0; i < questions; ++i) {
      clock_.Advance(KafkaWatch::kPause);
      const int before = *asked_;
      while (*asked_ == before) {
        watch_.Tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
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
  Pass(20);
  EXPECT_FALSE(watch_.away());
  *says_ = StatusCode::kUnavailable;
  Pass(5);
  EXPECT_TRUE(watch_.away());
  EXPECT_GE(watch_.silence(), seconds(10));
  EXPECT_EQ(watch_.why(), "no answer");
  *says_ = StatusCode::kOk;
  Pass(2);
  EXPECT_FALSE(watch_.away());
  EXPECT_EQ(watch_.why(), "");
}

TEST_F(KafkaWatchTest, ARefusalIsAnAnswer) {
  *says_ = StatusCode::kPermission;
  Pass(20);
  EXPECT_FALSE(watch_.away());
}

}  // namespace
}  // namespace fensi::daemon
