// Topics and groups as a person manages them. Every call blocks up to the timeout, however many requests it takes;
// thread-safe.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client_config.h"
#include "consumer/kafka/deadline.h"
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

struct GroupDescription {
  std::string state;  // as Kafka writes it: "Stable", "Empty", "Dead" (unknown group) …
  size_t members = 0;
  bool active() const { return members > 0; }
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
  /// kNotFound; never creates. kUnavailable names the brokers.
  Result<int32_t> Partitions(const std::string& topic);
  Result<TopicDescription> Describe(const std::string& topic);

  /// By partition; absent where the group has committed nothing.
  Result<std::vector<std::optional<int64_t>>> CommittedOffsets(const std::string& group, const std::string& topic);
  Result<GroupDescription> DescribeGroup(const std::string& group);
  Result<std::vector<PartitionOffset>> EarliestOffsets(const std::string& topic);
  Result<std::vector<PartitionOffset>> LatestOffsets(const std::string& topic);
  /// The first offset at or after a time (milliseconds since the epoch); the end where there is none.
  Result<std::vector<PartitionOffset>> OffsetsAt(const std::string& topic, int64_t time);
  /// Moves a group without members; kConfiguration while it is active.
  Status AlterOffsets(const std::string& group, const std::string& topic, const std::vector<PartitionOffset>& offsets);

 private:
  TopicAdmin(ClientHandle client, std::string brokers, std::chrono::milliseconds timeout);
  Result<int32_t> Partitions(const std::string& topic, const Deadline& deadline);
  Result<std::vector<PartitionOffset>> Offsets(const std::string& topic, bool latest, const Deadline& deadline);
  Result<GroupDescription> DescribeGroup(const std::string& group, const Deadline& deadline);
  Status Describe(const Status& status) const;
  Status WaitVisible(const std::string& topic, const Deadline& deadline);

  const ClientHandle client_;
  const std::string brokers_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace fensi::consumer
