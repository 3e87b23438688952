#include "consumer/kafka/group/topic_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using testing::HasSubstr;
using Answer = TopicWatch::Answer;

const Status kRefused(StatusCode::kPermission, "describing topic t: Broker: Topic authorization failed");

class TopicWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    watch_.Start(nullptr, milliseconds(1000));
    EXPECT_TRUE(watch_.Look().ok());  // from now on the minutes until it looks again are counted
  }

  std::optional<Status> Verdict(const Answer& answer) {
    answer_ = answer;
    watch_.Ask();
    std::optional<Status> verdict;
    for (int i = 0; i < 100 && !verdict; ++i) {
      std::this_thread::sleep_for(milliseconds(10));
      verdict = watch_.TakeVerdict();
    }
    return verdict;
  }

  /// What the next look says when brokers answer so.
  Status Look(const Answer& answer) {
    answer_ = answer;
    clock_.Advance(minutes(11));
    const int before = asked_;
    Status said = watch_.Look();
    EXPECT_TRUE(said.ok()) << "before there is an answer";
    for (int i = 0; i < 1000 && asked_ == before; ++i) std::this_thread::sleep_for(milliseconds(5));
    // The answer is there soon after it was made.
    for (int i = 0; i < 50 && said.ok(); ++i) {
      std::this_thread::sleep_for(milliseconds(5));
      said = watch_.Look();
    }
    return said;
  }

  Answer answer_;
  std::atomic<int> asked_ = 0;
  FakeClock clock_;
  Outage outage_{&clock_, "b:1"};
  TopicWatch watch_{"t", &clock_, &outage_, [this](rd_kafka_t*, const std::string&, milliseconds) {
                      ++asked_;
                      return answer_;
                    }};
};

TEST_F(TopicWatchTest, BeginsWithNoTopicWhoseSettingsAreNotTold) {
  const std::optional<Status> verdict = Verdict({.settings = kRefused});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->code(), StatusCode::kPermission);
}

TEST_F(TopicWatchTest, GoesOnWhenSettingsAreNotToldAnyMoreSaysSoAndKeepsWhatTheyWere) {
  ASSERT_TRUE(Verdict({.retention_ms = "5000"})->ok());
  EXPECT_TRUE(Look({.settings = kRefused}).ok());
  EXPECT_THAT(outage_.Text(), HasSubstr("cannot read the settings of topic t any more"));
  EXPECT_THAT(outage_.Text(), HasSubstr("authorization failed"));
  EXPECT_EQ(watch_.retention_ms(), 5000);
  watch_.Recovered();
  EXPECT_THAT(outage_.Text(), HasSubstr("cannot read the settings")) << "brokers that answer otherwise do not tell it";

  EXPECT_TRUE(Look({.retention_ms = "7000"}).ok());
  EXPECT_EQ(outage_.Text(), "");
  EXPECT_EQ(watch_.retention_ms(), 7000);
}

TEST_F(TopicWatchTest, DoesNotReadOnBehindAHoleOfWhichNobodyTellsWhetherItWasCompacted) {
  ASSERT_TRUE(Verdict({.retention_ms = "5000"})->ok());
  watch_.SawHole();
  EXPECT_EQ(Look({.settings = kRefused}).code(), StatusCode::kPermission);
}

TEST_F(TopicWatchTest, ReadsOnBehindAHoleOfATopicThatIsNotCompacted) {
  ASSERT_TRUE(Verdict({.retention_ms = "5000"})->ok());
  watch_.SawHole();
  EXPECT_TRUE(Look({.retention_ms = "5000"}).ok());
  EXPECT_TRUE(Look({.settings = kRefused}).ok());
}

TEST_F(TopicWatchTest, EndsWhenTheTopicItselfIsRefusedOrCompacted) {
  ASSERT_TRUE(Verdict({.retention_ms = "5000"})->ok());
  EXPECT_EQ(Look({.status = kRefused}).code(), StatusCode::kPermission);
  EXPECT_EQ(Look({.status = Status(StatusCode::kConfiguration, "compacted")}).code(), StatusCode::kConfiguration);
}

}  // namespace
}  // namespace fensi::consumer
