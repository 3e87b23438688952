// An outage is told once, with what waits, and so is its end, with how long it took.
#include "daemon/log/outage_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr int64_t kStart = 1'800'000'000'000;

class OutageWatchTest : public ::testing::Test {
 protected:
  /// What is told at that second, of a server that is away since second 10.
  std::optional<LogEntry> At(int64_t second, bool away) {
    return watch_.Note({.away = away,
                        .silent = away ? seconds(second - 10) : seconds(0),
                        .waits = "indexes a, b wait",
                        .wall_millis = kStart + second * 1000});
  }

  OutageWatch watch_{"Kafka", "b1:9092"};
};

TEST_F(OutageWatchTest, AnOutageAndItsEndAreEachToldOnce) {
  int told = 0;
  for (int64_t second = 0; second < 200; ++second) {
    const bool away = second >= 10 && second < 121;
    const std::optional<LogEntry> due = At(second, away);
    if (!due) continue;
    ++told;
    EXPECT_EQ(due->fields.server, "b1:9092");
    if (told == 1) {
      EXPECT_EQ(second, 15);
      EXPECT_EQ(due->event.rule().name, "server_unreachable");
      EXPECT_THAT(due->text, HasSubstr("Kafka at b1:9092 is unreachable since 2027-01-15T08:00:10.000Z (5 s)"));
      EXPECT_THAT(due->text, HasSubstr("indexes a, b wait"));
    } else {
      EXPECT_EQ(second, 121);
      EXPECT_EQ(due->event.rule().name, "server_reachable");
      EXPECT_THAT(due->text, HasSubstr("is reachable again after 1 m 51 s"));
    }
  }
  EXPECT_EQ(told, 2);
}

TEST_F(OutageWatchTest, AShortSilenceIsNoOutage) {
  for (int64_t second = 0; second < 30; ++second) EXPECT_FALSE(At(second, second >= 10 && second < 14)) << second;
}

}  // namespace
}  // namespace fensi::daemon
