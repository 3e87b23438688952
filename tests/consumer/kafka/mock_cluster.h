// librdkafka's mock cluster: brokers inside this process, on loopback ports of their own.
#pragma once

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/client/topic_tail.h"

namespace fensi::consumer {

class MockCluster {
 public:
  /// `brokers`: their numbers begin with 1; the first coordinates the group "g".
  explicit MockCluster(int brokers = 1);
  MockCluster(const MockCluster&) = delete;
  MockCluster& operator=(const MockCluster&) = delete;

  std::string brokers() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
  KafkaCluster cluster() const { return {.brokers = brokers()}; }
  rd_kafka_mock_cluster_t* raw() const { return cluster_; }

  void CreateTopic(const std::string& topic, int partitions);
  /// Waits for the acknowledgement of every message with Flush.
  void Produce(const std::string& topic, int32_t partition, std::string_view key, std::string_view value);
  /// A good event with this row, value "v" and its number as timestamp.
  void ProduceEvent(const std::string& topic, int32_t partition, const std::string& row, int64_t ts);
  void Flush();
  /// What stands in the topic now.
  std::vector<TopicTail::Message> ReadAll(const std::string& topic, TailFrom from = {}) const;
  void SetDown(bool down);
  /// How long a broker (-1: each) takes for an answer, to begin with now.
  void SetDelay(int32_t broker, std::chrono::milliseconds delay);
  /// From now on the broker takes connections and requests, and says nothing.
  void Silence(int32_t broker) { SetDelay(broker, std::chrono::hours(1)); }
  /// -1: nobody.
  void SetLeader(const std::string& topic, int32_t partition, int32_t broker);

 private:
  ClientHandle client_;  // a producer; owns the brokers
  rd_kafka_mock_cluster_t* cluster_ = nullptr;
};

}  // namespace fensi::consumer
