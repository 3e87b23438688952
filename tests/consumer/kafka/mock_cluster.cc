#include "tests/consumer/kafka/mock_cluster.h"

#include <gtest/gtest.h>

#include "consumer/codec/event_codec.h"

namespace fensi::consumer {

MockCluster::MockCluster(int brokers) {
  Result<ConfHandle> config = MakeConfig({.brokers = "localhost:1", .properties = {{"linger.ms", "1"}}}, {}, {});
  EXPECT_TRUE(config.ok()) << config.status().ToString();
  // fensi refuses the property, so it is set behind the check.
  EXPECT_EQ(rd_kafka_conf_set(config->get(), "test.mock.num.brokers", std::to_string(brokers).c_str(), nullptr, 0),
            RD_KAFKA_CONF_OK);
  Result<ClientHandle> client = MakeClient(RD_KAFKA_PRODUCER, std::move(*config));
  EXPECT_TRUE(client.ok()) << client.status().ToString();
  client_ = std::move(*client);
  cluster_ = rd_kafka_handle_mock_cluster(client_.get());
  rd_kafka_mock_coordinator_set(cluster_, "group", "g", 1);
}

void MockCluster::SetDelay(int32_t broker, std::chrono::milliseconds delay) {
  rd_kafka_mock_broker_set_rtt(cluster_, broker, static_cast<int>(delay.count()));
}

void MockCluster::SetLeader(const std::string& topic, int32_t partition, int32_t broker) {
  rd_kafka_mock_partition_set_leader(cluster_, topic.c_str(), partition, broker);
}

void MockCluster::CreateTopic(const std::string& topic, int partitions) {
  ASSERT_EQ(rd_kafka_mock_topic_create(cluster_, topic.c_str(), partitions, 1), RD_KAFKA_RESP_ERR_NO_ERROR);
}

void MockCluster::Produce(const std::string& topic, int32_t partition, std::string_view key, std::string_view value) {
  for (;;) {
    const rd_kafka_resp_err_t error =
        rd_kafka_producev(client_.get(), RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_PARTITION(partition),
                          RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(key.data(), key.size()),
                          RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()), RD_KAFKA_V_END);
    rd_kafka_poll(client_.get(), error == RD_KAFKA_RESP_ERR__QUEUE_FULL ? 10 : 0);
    if (error == RD_KAFKA_RESP_ERR__QUEUE_FULL) continue;
    ASSERT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR);
    return;
  }
}

void MockCluster::ProduceEvent(const std::string& topic, int32_t partition, const std::string& row, int64_t ts) {
  const ChangeEvent event{
      .table = "t", .row = row, .cells = {{.family = "f", .qualifier = "q", .timestamp = ts, .value = "v"}}};
  Produce(topic, partition, row, EncodeEvent(event));
}

void MockCluster::Flush() { ASSERT_EQ(rd_kafka_flush(client_.get(), 30'000), RD_KAFKA_RESP_ERR_NO_ERROR); }

std::vector<TopicTail::Message> MockCluster::ReadAll(const std::string& topic, TailFrom from) const {
  auto tail = TopicTail::Create({.cluster = cluster(), .topic = topic, .from = from, .until_end = true});
  EXPECT_TRUE(tail.ok()) << tail.status().ToString();
  std::vector<TopicTail::Message> messages;
  for (;;) {
    Result<TopicTail::Outcome> outcome = (*tail)->Next(std::chrono::milliseconds(100));
    EXPECT_TRUE(outcome.ok()) << outcome.status().ToString();
    if (!outcome.ok() || std::holds_alternative<TopicTail::End>(*outcome)) return messages;
    if (auto* message = std::get_if<TopicTail::Message>(&*outcome)) messages.push_back(std::move(*message));
  }
}

void MockCluster::SetDown(bool down) {
  if (down) {
    rd_kafka_mock_broker_set_down(cluster_, -1);
  } else {
    rd_kafka_mock_broker_set_up(cluster_, -1);
  }
}

}  // namespace fensi::consumer
