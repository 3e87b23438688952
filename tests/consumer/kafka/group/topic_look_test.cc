#include <gtest/gtest.h>

#include "consumer/kafka/group/topic_watch.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Status kAway(StatusCode::kUnavailable, "no answer in time");

TEST(TopicLook, IsDueEachSecondWhileSomethingIsWrong) {
  TopicLook look;
  EXPECT_FALSE(look.Due(seconds(100), false));
  EXPECT_TRUE(look.Due(seconds(100), true));
  EXPECT_FALSE(look.Due(milliseconds(100'999), true));
  EXPECT_TRUE(look.Due(milliseconds(101'000), true));
}

TEST(TopicLook, AfterAHoleIsRepeatedUntilThereIsAnAnswer) {
  TopicLook look;
  look.SawHole();
  EXPECT_TRUE(look.Due(seconds(100), false));
  look.Answered(kAway);
  EXPECT_TRUE(look.Due(seconds(101), false)) << "the answer says nothing of the topic";
  EXPECT_TRUE(look.Due(seconds(102), false)) << "there is no answer yet";
  look.Answered(Status());
  EXPECT_FALSE(look.Due(seconds(103), false));
}

TEST(TopicLook, OfManyHolesIsOneAMinuteAndTheLastIsNotForgotten) {
  TopicLook look;
  int looks = 0;
  for (int second = 0; second < 600; ++second) {
    look.SawHole();
    if (!look.Due(seconds(1000 + second), false)) continue;
    ++looks;
    look.Answered(Status());
  }
  EXPECT_EQ(looks, 10);
  EXPECT_TRUE(look.Due(seconds(1600), false));
}

TEST(TopicLook, IsDueNowAndThenThoughAllIsWell) {
  TopicLook look;
  int looks = 0;
  for (int second = 0; second < 3600; ++second) looks += look.Due(seconds(100 + second), false) ? 1 : 0;
  EXPECT_EQ(looks, 5) << "it was looked at when the index began";
}

}  // namespace
}  // namespace fensi::consumer
