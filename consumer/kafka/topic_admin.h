// Topics as a person manages them. Every call blocks up to the timeout, however many requests it takes; thread-safe.
// A call without an answer says why the connection is refused, if it is: kPermission or kConfiguration.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/kafka/admin_client.h"
#include "consumer/kafka/client_config.h"
#include "consumer/kafka/deadline.h"
#include "consumer/kafka/group_admin.h"
#include "consumer/kafka/partition_offset.h"

namespace fensi::consumer {

struct TopicSpec {
  std::string name;
  int32_t partitions = 1;
  int32_t replicas = -1;                       // -1: the broker's default
  std::map<std::string, std::string> configs;  // "retention.ms", …
};

/// What a broker does not tell is absent.
struct TopicDescription {
  int32_t partitions = 0;
  std::string cleanup_policy;
  std::optional<int64_t> retention_ms;     // -1: for ever
  std::optional<int64_t> retention_bytes;  // of a partition; -1: any number
  std::optional<int64_t> max_message_bytes;
  int32_t replicas = 0;  // of the partition that has fewest
};

class TopicAdmin {
 public:
  /// Does not wait for a broker.
  static Result<std::unique_ptr<TopicAdmin>> Create(const KafkaCluster& cluster, std::chrono::milliseconds timeout);

  /// Of the cluster, as its brokers agree on it: another one has another. kUnavailable names the brokers.
  Result<std::string> ClusterId();

  /// kAlreadyExists, kRejected …
  /// Returns when brokers know the new topic.
  Status CreateTopic(const TopicSpec& spec);
  /// With all that is in it. kNotFound: there is none.
  Status DeleteTopic(const std::string& topic);
  /// kNotFound; never creates. kUnavailable names the brokers.
  Result<int32_t> Partitions(const std::string& topic);
  Result<TopicDescription> Describe(const std::string& topic);

  Result<std::vector<PartitionOffset>> EarliestOffsets(const std::string& topic);
  Result<std::vector<PartitionOffset>> LatestOffsets(const std::string& topic);
  /// The first offset at or after a time (milliseconds since the epoch); the end where there is none.
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
