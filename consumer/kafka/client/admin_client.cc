#include "consumer/kafka/client/admin_client.h"

#include <utility>

#include "consumer/kafka/client/topic_facts.h"

namespace fensi::consumer {

Result<std::shared_ptr<AdminClient>> AdminClient::Create(const KafkaCluster& cluster,
                                                         std::chrono::milliseconds timeout) {
  // A consumer, because a producer's question for a topic may create it.
  FENSI_ASSIGN_OR_RETURN(ConfHandle config, MakeConfig(cluster, {}, {{"allow.auto.create.topics", "false"}}));
  auto refusal = std::make_unique<Refusal>();
  refusal->Listen(config.get());
  FENSI_ASSIGN_OR_RETURN(ClientHandle client, MakeClient(RD_KAFKA_CONSUMER, std::move(config)));
  return std::shared_ptr<AdminClient>(new AdminClient(std::move(refusal), std::move(client), cluster.brokers, timeout));
}

AdminClient::AdminClient(std::unique_ptr<Refusal> refusal, ClientHandle client, std::string brokers,
                         std::chrono::milliseconds timeout)
    : refusal_(std::move(refusal)), client_(std::move(client)), brokers_(std::move(brokers)), timeout_(timeout) {}

Status AdminClient::Explain(const Status& status) const {
  if (status.code() != StatusCode::kUnavailable) return status;
  rd_kafka_poll(client_.get(), 0);  // what the client has to say of its connections
  return refusal_->Explain(status.WithContext("broker " + brokers_ + " cannot be reached"));
}

Result<int32_t> AdminClient::Partitions(const std::string& topic, const Deadline& deadline) const {
  Result<int32_t> count = PartitionCount(client_.get(), topic, deadline.left());
  if (!count.ok()) return Explain(count.status());
  refusal_->Over();
  return count;
}

}  // namespace fensi::consumer
