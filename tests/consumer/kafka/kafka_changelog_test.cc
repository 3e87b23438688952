// The writer of a changelog against brokers in this process. What Kafka's transactions promise is tried on real servers
// (tests/e2e/changelog_test.py).
#include "consumer/kafka/kafka_changelog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class KafkaChangelogTest : public ::testing::Test {
 protected:
  KafkaChangelogTest() { mock_.CreateTopic("rows.changelog", 1); }

  std::unique_ptr<KafkaChangelogWriter> Writer(const std::string& topic = "rows.changelog") {
    KafkaChangelogOptions options{.producer = {.cluster = mock_.cluster()},
                                  .topic = topic,
                                  .transactional_id = "fensi-rows-changelog",
                                  .slice = milliseconds(200),
                                  .pause = milliseconds(10),
                                  .broker_wait = milliseconds(1000)};
    const auto owned = [this] {
      ++owned_;
      return lost_ ? Status(StatusCode::kFenced, "the partition is lost") : Status();
    };
    const auto go_on = [this] {
      ++waits_;
      return lost_ ? Status(StatusCode::kFenced, "the partition is lost") : Status();
    };
    return std::make_unique<KafkaChangelogWriter>(
        options, 3, SystemClock(),
        Changelog::Calls{owned, go_on, [this](const std::string& text) { told_.push_back(text); }});
  }
  std::vector<std::string> Values() {
    std::vector<std::string> values;
    for (const auto& message : mock_.ReadAll("rows.changelog")) values.push_back(message.key + "=" + message.value);
    return values;
  }

  MockCluster mock_;
  std::atomic<bool> lost_ = false;
  std::atomic<int> owned_ = 0, waits_ = 0;
  std::vector<std::string> told_;
};

TEST_F(KafkaChangelogTest, WritesMessagesInOrder) {
  const auto writer = Writer();
  ASSERT_TRUE(writer->Open().ok());
  EXPECT_GT(writer->most_bytes(), 60'000u);
  ASSERT_TRUE(writer->Write(std::vector<ChangelogMessage>{{"a", "1"}, {"a", "2"}, {"a", std::nullopt}}).ok());
  ASSERT_TRUE(writer->Write(std::vector<ChangelogMessage>{{"b", "3"}}).ok());
  EXPECT_THAT(Values(), ElementsAre("a=1", "a=2", "a=", "b=3"));
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(KafkaChangelogTest, AMissingTopicIsNamedAndNotCreated) {
  rd_kafka_mock_topic_set_error(mock_.raw(), "absent", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const Status absent = Writer("absent")->Open();
  EXPECT_EQ(absent.code(), StatusCode::kNotFound);
  EXPECT_THAT(absent.message(), HasSubstr("topic absent does not exist"));
}

TEST_F(KafkaChangelogTest, ABrokenClientIsReplacedAndTheMessagesAreWritten) {
  const auto writer = Writer();
  ASSERT_TRUE(writer->Open().ok());
  ASSERT_TRUE(writer->Write(std::vector<ChangelogMessage>{{"a", "1"}}).ok());
  writer->BreakForTest();
  const int owned = owned_;
  ASSERT_TRUE(writer->Write(std::vector<ChangelogMessage>{{"a", "2"}}).ok());
  EXPECT_THAT(Values(), ElementsAre("a=1", "a=2"));
  EXPECT_GE(owned_ - owned, 2) << "once more after the new client has become the newest";
}

TEST_F(KafkaChangelogTest, AnOwnerThatLosesThePartitionWhileItOpensWritesNothing) {
  const auto writer = Writer();
  ASSERT_TRUE(writer->Open().ok());
  writer->BreakForTest();
  lost_ = true;
  EXPECT_EQ(writer->Write(std::vector<ChangelogMessage>{{"a", "1"}}).code(), StatusCode::kFenced);
  EXPECT_THAT(Values(), IsEmpty());
}

TEST_F(KafkaChangelogTest, WaitsForABrokerThatIsAway) {
  const auto writer = Writer();
  ASSERT_TRUE(writer->Open().ok());
  ASSERT_TRUE(writer->Write(std::vector<ChangelogMessage>{{"a", "1"}}).ok());
  mock_.SetDown(true);
  std::thread back([this] {
    while (waits_ < 3) std::this_thread::sleep_for(milliseconds(10));
    mock_.SetDown(false);
  });
  const Status written = writer->Write(std::vector<ChangelogMessage>{{"a", "2"}});
  back.join();
  ASSERT_TRUE(written.ok()) << written.ToString();
  ASSERT_FALSE(told_.empty());
  EXPECT_THAT(told_.front(), HasSubstr("changelog topic rows.changelog"));
  EXPECT_EQ(Values().back(), "a=2");
}

TEST_F(KafkaChangelogTest, StopsToWaitWhenThePartitionIsLost) {
  const auto writer = Writer();
  ASSERT_TRUE(writer->Open().ok());
  mock_.SetDown(true);
  std::thread other([this] {
    while (waits_ < 2) std::this_thread::sleep_for(milliseconds(10));
    lost_ = true;
  });
  EXPECT_EQ(writer->Write(std::vector<ChangelogMessage>{{"a", "2"}}).code(), StatusCode::kFenced);
  other.join();
}

TEST_F(KafkaChangelogTest, TheIdOfAPartitionIsItsOwn) {
  EXPECT_EQ(TransactionalId("fensi-rows-changelog", 3), "fensi-rows-changelog-3");
}

}  // namespace
}  // namespace fensi::consumer
