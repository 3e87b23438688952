#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_tail.h"
#include "consumer/kafka/kafka_dead_letters.h"
#include "consumer/kafka/producer/event_producer.h"
#include "consumer/kafka/producer/producer_config.h"
#include "proto/dead_letter.pb.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class TopicTest : public ::testing::Test {
 protected:
  TopicTest() { mock_.CreateTopic("changes", 4); }

  std::shared_ptr<EventProducer> Producer(milliseconds delivery_timeout = milliseconds(60'000)) {
    auto producer = EventProducer::Create({.cluster = mock_.cluster(), .delivery_timeout = delivery_timeout});
    EXPECT_TRUE(producer.ok()) << producer.status().ToString();
    return std::move(*producer);
  }
  std::vector<TopicTail::Message> ReadAll(TailFrom from = {}) { return mock_.ReadAll("changes", from); }

  MockCluster mock_;
};

TEST_F(TopicTest, ARowAlwaysGoesToTheSamePartitionAsJavaWouldChoose) {
  const auto producer = Producer();
  for (int i = 0; i < 3; ++i) {
    for (const char* row : {"21", "foobar", "a-little-bit-long-string"}) {
      ASSERT_TRUE(producer->Send("changes", row, "v").ok());
    }
  }
  ASSERT_TRUE(producer->Flush().ok());
  // Kafka's own test vectors of murmur2: -973932308, -790332482, -985981536.
  const std::map<std::string, int32_t> expected = {{"21", (-973932308 & 0x7fffffff) % 4},
                                                   {"foobar", (-790332482 & 0x7fffffff) % 4},
                                                   {"a-little-bit-long-string", (-985981536 & 0x7fffffff) % 4}};
  const auto messages = ReadAll();
  ASSERT_EQ(messages.size(), 9u);
  for (const auto& message : messages) EXPECT_EQ(message.partition, expected.at(message.key)) << message.key;
}

TEST_F(TopicTest, WritesAreDurableOnAllReplicasAndNeverTwice) {
  const Result<ConfHandle> config = ProducerConfig({.cluster = mock_.cluster()});
  ASSERT_TRUE(config.ok());
  for (const auto& [name, wanted] :
       std::map<std::string, std::string>{{"acks", "-1"}, {"enable.idempotence", "true"}}) {
    char value[32] = "";
    size_t size = sizeof value;
    ASSERT_EQ(rd_kafka_conf_get(config->get(), name.c_str(), value, &size), RD_KAFKA_CONF_OK);
    EXPECT_EQ(value, wanted) << name;
  }
}

TEST_F(TopicTest, EventsComeBackAsTheyWereSent) {
  const ChangeEvent event{.table = "t", .row = "a", .cells = {{.family = "f", .timestamp = 1, .value = "v"}}};
  const auto producer = Producer();
  ASSERT_TRUE(producer->SendEvent("changes", event).ok());
  ASSERT_TRUE(producer->Flush().ok());
  EXPECT_EQ(producer->unacknowledged(), 0);
  const auto messages = ReadAll();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].event, event);
}

TEST_F(TopicTest, ReadsFromAnOffsetOrOnlyWhatIsNew) {
  for (int i = 0; i < 10; ++i) mock_.ProduceEvent("changes", 0, "r", i);
  mock_.Flush();
  EXPECT_EQ(ReadAll({.kind = TailFrom::Kind::kOffset, .offset = 7}).size(), 3u);
  EXPECT_TRUE(ReadAll({.kind = TailFrom::Kind::kLatest}).empty());
}

TEST_F(TopicTest, ATopicThatIsNotThereIsNamedAndNotCreated) {
  rd_kafka_mock_topic_set_error(mock_.raw(), "missing", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const Status status = Producer()->Send("missing", "k", "v");
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("topic missing does not exist"));
}

TEST_F(TopicTest, AMessageThatTheBrokerRefusesIsToldByFlushOnce) {
  const auto producer = Producer();
  ASSERT_TRUE(producer->Send("changes", "k", "v").ok());
  ASSERT_TRUE(producer->Flush().ok());
  const rd_kafka_resp_err_t refusal = RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
  rd_kafka_mock_push_request_errors_array(mock_.raw(), 0 /* Produce */, 1, &refusal);
  ASSERT_TRUE(producer->Send("changes", "k", "v").ok());
  const Status status = producer->Flush();
  EXPECT_EQ(status.code(), StatusCode::kPermission);
  EXPECT_THAT(status.message(), HasSubstr("writing to topic changes"));
}

TEST_F(TopicTest, ABrokerThatIsAwayIsNamed) {
  const auto producer =
      EventProducer::Create({.cluster = {.brokers = "127.0.0.1:1"}, .connect_timeout = milliseconds(200)});
  const Status status = (*producer)->Send("changes", "k", "v");
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("broker 127.0.0.1:1 cannot be reached"));
}

TEST_F(TopicTest, AdminCountsPartitionsAndOffsets) {
  mock_.ProduceEvent("changes", 2, "r", 1);
  mock_.Flush();
  const auto admin = TopicAdmin::Create(mock_.cluster(), milliseconds(60'000));
  ASSERT_TRUE(admin.ok());
  EXPECT_EQ(*(*admin)->Partitions("changes"), 4);
  EXPECT_EQ((*admin)->LatestOffsets("changes")->at(2), (PartitionOffset{2, 1}));
  EXPECT_EQ((*admin)->EarliestOffsets("changes")->at(2), (PartitionOffset{2, 0}));
}

}  // namespace
}  // namespace fensi::consumer
