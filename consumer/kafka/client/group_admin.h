// Manages consumer groups for a person. Every call blocks up to the timeout of its client, however many requests it
// takes; thread-safe. A call without an answer reports why the connection is refused, if it is: kPermission or
// kConfiguration.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/kafka/client/admin_client.h"
#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

/// The phase of a member of a consumer group. A value.
enum class GroupPhase {
  kJoining,  // not a member yet
  kMember,   // the group has assigned its partitions, perhaps none
  kRevoked,  // the group has revoked the partitions and assigns them again
  kSilent,   // group coordinator or poll thread were silent for too long: the right to the partitions has ended
  kLost,     // the group has assigned the partitions to other members
};

struct GroupState {
  GroupPhase phase = GroupPhase::kJoining;
  std::chrono::milliseconds age{0};          // duration of the phase; of kLost since the silence before it
  std::vector<int32_t> partitions = {};      // assigned to this member, read already or not
  int64_t assignments = 0, revocations = 0;  // of all partitions together, by the group
  int64_t losses = 0;
  int64_t fenced = 0;  // silences for which partitions were lost, each counted once
};

// Manages consumer groups.

struct GroupDescription {
  std::string state;  // as Kafka reports it: "Stable", "Empty", "Dead" (unknown group) …
  size_t members = 0;
  std::map<std::string, std::string> hosts;  // of those that have a name (KIP-345), by name
  bool active() const { return members > 0; }
};

class GroupAdmin {
 public:
  /// TopicAdmin::groups() makes one.
  explicit GroupAdmin(std::shared_ptr<const AdminClient> client) : client_(std::move(client)) {}

  /// One per partition; absent if the group has committed nothing.
  Result<std::vector<std::optional<int64_t>>> CommittedOffsets(const std::string& group, const std::string& topic);
  Result<GroupDescription> DescribeGroup(const std::string& group);
  /// Moves the offsets of a group without members; kConfiguration while the group is active.
  Status AlterOffsets(const std::string& group, const std::string& topic, const std::vector<PartitionOffset>& offsets);
  /// Deletes the group with its offsets. kNotFound: there is none; kConfiguration while the group is active.
  Status Delete(const std::string& group);

 private:
  Result<GroupDescription> DescribeGroup(const std::string& group, const Deadline& deadline);

  const std::shared_ptr<const AdminClient> client_;
};

}  // namespace fensi::consumer
