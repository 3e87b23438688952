// The librdkafka client of TopicAdmin and GroupAdmin. Thread-safe; Partitions blocks up to its deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/refusal.h"

namespace fensi::consumer {

class AdminClient {
 public:
  /// `timeout`: of each call. Does not wait for a broker.
  static Result<std::shared_ptr<AdminClient>> Create(const KafkaCluster& cluster, std::chrono::milliseconds timeout);

  rd_kafka_t* get() const { return client_.get(); }
  std::chrono::milliseconds timeout() const { return timeout_; }
  /// Makes an error readable for a person: kUnavailable names the brokers, or the reason why they refuse us.
  Status Explain(const Status& status) const;
  /// Number of partitions of a topic. kNotFound; never creates a topic.
  Result<int32_t> Partitions(const std::string& topic, const Deadline& deadline) const;

 private:
  AdminClient(std::unique_ptr<Refusal> refusal, ClientHandle client, std::string brokers,
              std::chrono::milliseconds timeout);

  const std::unique_ptr<Refusal> refusal_;  // outlives the client
  const ClientHandle client_;
  const std::string brokers_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace fensi::consumer
