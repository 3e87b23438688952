#include "consumer/kafka/client/handles.h"

#include <future>

#include "base/unattended.h"

namespace fensi::consumer {

void DestroyWithoutLeavingGroup(rd_kafka_t* client) {
  rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
}

void DestroyWithin(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout) {
  if (client == nullptr) return;
  std::promise<void> gone;
  const std::future<void> ended = gone.get_future();
  // Without a thread it is destroyed here, whatever time it takes.
  const bool begun = StartDetached([client = std::move(client), gone = std::move(gone)]() mutable {
    client.reset();
    gone.set_value();
  });
  if (begun) (void)ended.wait_for(timeout);
}

PartitionsHandle MakePartitions(const std::string& topic, const std::vector<PartitionOffset>& offsets) {
  PartitionsHandle list(rd_kafka_topic_partition_list_new(static_cast<int>(offsets.size())));
  for (const PartitionOffset& each : offsets) {
    rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), each.partition)->offset = each.offset;
  }
  return list;
}

PartitionsHandle WithoutOffsets(const std::string& topic, const std::vector<int32_t>& partitions) {
  std::vector<PartitionOffset> offsets;
  for (const int32_t partition : partitions) offsets.push_back({partition, RD_KAFKA_OFFSET_INVALID});
  return MakePartitions(topic, offsets);
}

bool IsTransient(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__WAIT_COORD:
    case RD_KAFKA_RESP_ERR__WAIT_CACHE:
    case RD_KAFKA_RESP_ERR__RETRY:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
    case RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
    case RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_COORDINATOR:
    case RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION:
    case RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS:
      return true;
    default:
      return false;
  }
}

namespace {

StatusCode CodeOf(rd_kafka_resp_err_t error) {
  if (IsTransient(error)) return StatusCode::kUnavailable;
  switch (error) {
    // No connection came about. Refusal knows why, and whether it has lasted.
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__SSL:
      return StatusCode::kUnavailable;
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_GROUP_ID_NOT_FOUND:
      return StatusCode::kNotFound;
    case RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS:
      return StatusCode::kAlreadyExists;
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
      return StatusCode::kPermission;
    case RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID:
    case RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION:
    case RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID:
    case RD_KAFKA_RESP_ERR__FENCED:
      return StatusCode::kFenced;
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_INVALID_CONFIG:
    case RD_KAFKA_RESP_ERR_INVALID_REPLICATION_FACTOR:
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
    case RD_KAFKA_RESP_ERR_INVALID_PARTITIONS:
    case RD_KAFKA_RESP_ERR_POLICY_VIOLATION:
      return StatusCode::kRejected;
    case RD_KAFKA_RESP_ERR__PURGE_QUEUE:
    case RD_KAFKA_RESP_ERR__PURGE_INFLIGHT:
      return StatusCode::kCancelled;
    case RD_KAFKA_RESP_ERR_NON_EMPTY_GROUP:
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM:
    case RD_KAFKA_RESP_ERR_ILLEGAL_SASL_STATE:
      return StatusCode::kConfiguration;
    default:
      return StatusCode::kInternal;
  }
}

}  // namespace

Status KafkaStatus(rd_kafka_resp_err_t error, const std::string& what) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  const bool silent = error == RD_KAFKA_RESP_ERR__TIMED_OUT;
  return Status(CodeOf(error), what + ": " + (silent ? "no answer in time" : rd_kafka_err2str(error)));
}

Status WithBrokerAction(const Status& call) {
  if (call.code() != StatusCode::kUnavailable) return call;
  return call.WithSuffix(". If this lasts, check that the broker runs and that the address of the broker is right");
}

}  // namespace fensi::consumer
