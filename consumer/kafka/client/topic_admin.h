// Manages topics for a person. Every call blocks up to the timeout, however many requests it takes; thread-safe. A call
// without an answer reports why the connection is refused, if it is: kPermission or kConfiguration.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/kafka/client/admin_client.h"
#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/client/group_admin.h"
#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

struct TopicSpec {
  std::string name;
  int32_t partitions = 1;
  int32_t replicas = -1;                       // -1: the broker's default
  std::map<std::string, std::string> configs;  // "retention.ms", …
};

/// Properties of a topic; absent if the broker does not report them.
struct TopicDescription {
  int32_t partitions = 0;
  std::string cleanup_policy;
  std::optional<int64_t> retention_ms;     // -1: for ever
  std::optional<int64_t> retention_bytes;  // per partition; -1: no bound
  std::optional<int64_t> max_message_bytes;
  int32_t replicas = 0;  // minimum over the partitions
};

class TopicAdmin {
 public:
  /// Does not wait for a broker.
  static Result<std::unique_ptr<TopicAdmin>> Create(const KafkaCluster& cluster, std::chrono::milliseconds timeout);

  /// The id of the cluster, on which its brokers agree. kUnavailable names the brokers.
  Result<std::string> ClusterId();

  /// Returns when brokers know the new topic. kAlreadyExists, kRejected …
  Status CreateTopic(const TopicSpec& spec);
  /// Deletes the topic and all its messages. kNotFound: there is none.
  Status DeleteTopic(const std::string& topic);
  /// kNotFound; never creates. kUnavailable names the brokers.
  Result<int32_t> Partitions(const std::string& topic);
  Result<TopicDescription> Describe(const std::string& topic);

  Result<std::vector<PartitionOffset>> EarliestOffsets(const std::string& topic);
  Result<std::vector<PartitionOffset>> LatestOffsets(const std::string& topic);
  /// The first offset at or after a time (milliseconds since the epoch); the end if there is none.
  Result<std::vector<PartitionOffset>> OffsetsAt(const std::string& topic, int64_t time);

  /// The groups of the same cluster, through the same client.
  GroupAdmin groups() const { return GroupAdmin(client_); }

 private:
  explicit TopicAdmin(std::shared_ptr<const AdminClient> client) : client_(std::move(client)) {}
  Result<std::vector<PartitionOffset>> Offsets(const std::string& topic, bool latest, const Deadline& deadline);
  Status WaitVisible(const std::string& topic, const Deadline& deadline);

  const std::shared_ptr<const AdminClient> client_;
};

}  // namespace fensi::consumer
